/** Copies a text. `navigator.clipboard` exists only in secure contexts; over plain http the text is copied from a field. */
export async function copyText(text: string): Promise<void> {
  if (isSecureContext) return navigator.clipboard.writeText(text);
  const field = document.createElement('textarea');
  field.value = text;
  // Inside an open dialog, because the browser lets nothing outside of it take the focus.
  (document.querySelector('dialog[open]') ?? document.body).append(field);
  field.select();
  document.execCommand('copy');
  field.remove();
}
