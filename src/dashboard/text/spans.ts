export const spans = {
  span: 'Span',
  days: { '1': 'Today', '7': '7 days', '30': '30 days', '90': '90 days' } as Readonly<Record<string, string>>,
};
