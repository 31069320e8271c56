import type { MessageContent, RenderedMessage } from './content.ts'

/** Renders a message. No value is read as a template or as HTML. */
export function renderMessage(content: MessageContent): RenderedMessage {
  const { kind, brand, details, action, override, unsubscribeUrl } = content
  const subject = override?.subject ?? `${brand.businessName}: ${kind.replaceAll('_', ' ')}`
  const paragraphs = [
    override?.intro,
    ...details.lines.map(({ label, quantity, amount }) =>
      [quantity, label, amount].filter(Boolean).join(' '),
    ),
    ...details.rows.map(({ label, value }) => `${label.replaceAll('_', ' ')}: ${value}`),
    action?.url,
    override?.outro,
    unsubscribeUrl,
  ].filter((paragraph) => paragraph !== undefined && paragraph !== null)
  const html = paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`).join('')
  return { subject, html, text: paragraphs.join('\n\n') }
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
