import type { MessageContent } from './content.ts'

/**
 * Where mail programs find an address in plain words: the slashes of a scheme, the dot before the letters of a top-level domain, the
 * sign of an e-mail address. Amounts and versions ("1.50") have none.
 */
const LINKED = /:(?=\/\/)|(?<=[\p{L}\p{N}])(?:\.(?=\p{L}{2})|@(?=[\p{L}\p{N}]))/gu
/** Takes no width, allows no line break, and is part of no address. */
const ZERO_WIDTH_NON_JOINER = '\u{200c}'

/** The text as it was, which no mail program turns into a link. */
function unlinked(text: string): string {
  return text.replace(LINKED, `$&${ZERO_WIDTH_NON_JOINER}`)
}

const NAMES = ['customer_name', 'business_name', 'plan_name'] as const
const TEXTS_OF_OTHERS = new Set(['plan_name', 'reason'])

/**
 * Names can be chosen by strangers, who could have the business mail their links to others. Numbers and references stay as they are,
 * because people copy them.
 */
export function withoutLinkedNames(content: MessageContent): MessageContent {
  const { brand, values, details } = content
  const names = NAMES.flatMap((name) => {
    const value = values[name]
    return value === undefined ? [] : [[name, unlinked(value)] as const]
  })
  return {
    ...content,
    brand: { ...brand, businessName: unlinked(brand.businessName) },
    values: { ...values, ...Object.fromEntries(names) },
    details: {
      lines: details.lines.map((line) => ({ ...line, label: unlinked(line.label) })),
      rows: details.rows.map((row) =>
        TEXTS_OF_OTHERS.has(row.label) ? { ...row, value: unlinked(row.value) } : row,
      ),
    },
  }
}
