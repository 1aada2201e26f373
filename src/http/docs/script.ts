/** Script of the documentation: a button that copies, at each command and text in code. Pages are complete without it. */
export const script = `
for (const block of document.querySelectorAll('pre')) {
  if (!navigator.clipboard) break; // plain http to another machine
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.querySelector('code').textContent);
    button.textContent = 'Copied';
    setTimeout(() => { button.textContent = 'Copy'; }, 2000);
  });
  const frame = document.createElement('div');
  frame.className = 'code';
  block.replaceWith(frame);
  frame.append(block, button);
}
`;
