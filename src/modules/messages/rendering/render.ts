import { directionOfLanguage } from '#kernel/language-tags'
import { onOneLine } from '#kernel/one-line'
import { html, type Html } from '#platform/http/html'
import { mailColors } from './colors.ts'
import type { DetailLabel, MessageContent, RenderedMessage } from './content.ts'
import { fontsOf } from './fonts.ts'
import { layoutOf } from './layout.generated.ts'
import type { MailLayout } from './mail-layout.ts'
import { pairText } from './phrases.ts'
import { fill, filledPieces, piecesOf } from './placeholders.ts'
import { type MessageName, type MessageWords, wordsOf } from './words.ts'

/** Renders a message (reference/messages#what-a-message-says). No value is read as a template or as HTML. */
export function renderMessage(content: MessageContent): RenderedMessage {
  const wording = wordingOf(content)
  return {
    subject: wording.subject,
    html: layoutOf(layoutFor(content, wording)).text,
    text: plainText(content, wording),
  }
}

type Values = Readonly<Record<string, string | undefined>>

/** A message in words, before it is HTML or text. Paragraphs still have their placeholders. */
interface Wording {
  readonly words: MessageWords
  readonly direction: 'ltr' | 'rtl'
  readonly values: Values
  readonly subject: string
  readonly title: string
  readonly amount: string | false
  readonly paragraphs: readonly string[]
  readonly action: { readonly url: string; readonly label: string } | false
  readonly otherAction: { readonly url: string; readonly label: string } | false
  readonly lines: readonly { readonly label: string; readonly amount: string }[]
  readonly facts: readonly { readonly label: string; readonly value: string }[]
  readonly sums: readonly { readonly label: string; readonly value: string }[]
  readonly outro: readonly string[]
  readonly attached: string | false
  readonly contacts: readonly { readonly text: string; readonly url: string }[]
}

function wordingOf(content: MessageContent): Wording {
  const { kind, brand, details, action, otherAction, override } = content
  const words = wordsOf(content.language)
  const values = Object.fromEntries(
    Object.entries({ business_name: brand.businessName, ...content.values }).map(([name, value]) => [
      name,
      onOneLine(value).trim(),
    ]),
  )
  const { subject, title, intro } = words.messages[nameOf(content)]
  const direction = directionOfLanguage(content.language)
  const withoutMarkup = (text: string) => onOneLine(fill(text, values)).trim()
  const { lines, rows } = details
  const labelled = ({ label, value }: (typeof rows)[number]) => ({
    label: words.labels[label],
    value: onOneLine(value),
  })
  // Without lines there is nothing that a sum could stand below.
  const sums = lines.length === 0 ? [] : rows.filter(({ label }) => SUMS.has(label))
  const attached = content.attached ?? []
  return {
    words,
    direction,
    values,
    // A template may be blank, or hold nothing but placeholders without a value.
    subject: withoutMarkup(override?.subject ?? '') || withoutMarkup(subject),
    title: withoutMarkup(title),
    amount: WITH_AMOUNT.has(kind) && (values['amount'] ?? false),
    paragraphs:
      override?.intro === undefined || override.intro === null
        ? [
            ...(has(values, words.greeting) ? [words.greeting] : []),
            intro.filter((sentence) => has(values, sentence)).join(gapOf(content.language)),
          ]
        : paragraphsOf(override.intro),
    action: action !== undefined && { url: action.url, label: words.actions[action.kind] },
    otherAction: otherAction !== undefined && {
      url: otherAction.url,
      label: words.actions[otherAction.kind],
    },
    lines: lines.map(({ label, quantity, amount }) => ({
      label: onOneLine(quantity === null || quantity === '1' ? label : `${label} × ${quantity}`),
      amount,
    })),
    facts: rows.filter((row) => !sums.includes(row)).map(labelled),
    sums: sums.map(labelled),
    outro: paragraphsOf(override?.outro ?? ''),
    attached: attached.length > 0 && fill(words.attached, { files: attached.map(onOneLine).join(', ') }),
    contacts: contactsOf(content),
  }
}

/** Kinds whose amount is shown large. */
const WITH_AMOUNT: ReadonlySet<MessageContent['kind']> = new Set([
  'receipt',
  'invoice',
  'credit_note',
  'payment_failed',
  'payment_reminder',
] as const)

const SUMS: ReadonlySet<DetailLabel> = new Set(['total', 'amount_due', 'amount_paid', 'amount_credited'])

function nameOf({ kind, variant }: MessageContent): MessageName {
  if (kind === 'receipt' && variant === 'with_invoice') return 'receipt_with_invoice'
  if (kind === 'payment_failed' && variant === 'last') return 'payment_failed_last'
  if (kind === 'plan_canceled' && variant === 'scheduled') return 'plan_canceled_scheduled'
  return kind
}

function has(values: Values, sentence: string): boolean {
  return piecesOf(sentence).every((piece) => 'text' in piece || (values[piece.name] ?? '') !== '')
}

/** Chinese and Japanese sentences follow each other without a space. */
function gapOf(language: string): string {
  return ['ja', 'zh-Hans', 'zh-Hant'].includes(language) ? '' : ' '
}

/** An empty line begins a new paragraph. */
function paragraphsOf(text: string): string[] {
  const paragraphs = ['']
  for (const line of text.replaceAll('\r\n', '\n').split('\n')) {
    const last = paragraphs.at(-1) ?? ''
    if (line.trim() === '') paragraphs.push('')
    else paragraphs[paragraphs.length - 1] = last === '' ? line : `${last}\n${line}`
  }
  return paragraphs.filter((paragraph) => paragraph !== '')
}

function contactsOf({ brand: { email, phone, website } }: MessageContent): Wording['contacts'] {
  return [
    ...(email === null ? [] : [{ text: email, url: `mailto:${email}` }]),
    ...(phone === null ? [] : [{ text: phone, url: `tel:${phone.replace(/[^+\d]/g, '')}` }]),
    ...(website === null ? [] : [{ text: new URL(website).host, url: website }]),
  ]
}

/** Mail programs show some 100 characters after the subject. */
const PREHEADER_LENGTH = 140
/** Keeps what follows in the message out of that line. */
const PREHEADER_END = '\u{34f}\u{200c}\u{a0}'.repeat(60)

function layoutFor(content: MessageContent, wording: Wording): MailLayout {
  const { brand } = content
  const { words, direction, values } = wording
  const rich = (text: string) => richText(text, values)
  const introduction = wording.paragraphs.findLast((paragraph) => paragraph !== words.greeting) ?? ''
  const preheader = onOneLine(fill(introduction, values)).slice(0, PREHEADER_LENGTH)
  return {
    language: content.language,
    direction,
    ...(direction === 'ltr' ? { start: 'left', end: 'right' } : { start: 'right', end: 'left' }),
    fonts: fontsOf(content.language),
    // Korean has spaces, and breaks lines at them.
    wordBreak: content.language === 'ko' ? 'keep-all' : 'normal',
    subject: wording.subject,
    preheader: `${preheader}${PREHEADER_END}`,
    ...mailColors(brand.color),
    logo: brand.logoUrl ?? false,
    business: html`<bdi>${onOneLine(brand.businessName)}</bdi>`,
    testMode: content.testMode === true && words.testMode,
    title: wording.title,
    amount: wording.amount,
    paragraphs: wording.paragraphs.map(rich),
    action: wording.action,
    otherAction: wording.otherAction !== false && linkTo(wording.otherAction.url, wording.otherAction.label),
    hasFacts: wording.facts.length > 0,
    facts: wording.facts,
    hasLines: wording.lines.length > 0,
    lines: wording.lines,
    sums: wording.sums,
    closing: [...wording.outro.map(rich), ...(wording.attached === false ? [] : [wording.attached])],
    footer: footerOf(content, wording),
  }
}

function richText(text: string, values: Values): Html {
  return html`${filledPieces(text, values).map((piece) => {
    if ('text' in piece) return withBreaks(piece.text)
    const { name, value } = piece
    return name === 'link' && /^https?:\/\//.test(value) ? linkTo(value, value) : html`<bdi>${value}</bdi>`
  })}`
}

function withBreaks(text: string): Html[] {
  return text.split('\n').map((line, index) => (index === 0 ? html`${line}` : html`<br />${line}`))
}

function linkTo(url: string, text: string): Html {
  return html`<a href="${url}" style="color:inherit;text-decoration:underline"><bdi>${text}</bdi></a>`
}

function footerOf({ unsubscribeUrl }: MessageContent, { words, values, contacts }: Wording): Html[] {
  const links = contacts.map(({ text, url }, index) => html`${index > 0 && ' · '}${linkTo(url, text)}`)
  return [
    ...(contacts.length === 0 ? [] : [richText(words.contact, values), html`${links}`]),
    ...(unsubscribeUrl === undefined ? [] : [linkTo(unsubscribeUrl, words.unsubscribe)]),
  ]
}

function plainText(content: MessageContent, wording: Wording): string {
  const { words, values, direction } = wording
  // Without isolation the digits and names of another script move to another place of a line that runs from right to left.
  const isolated = (value: string) => (direction === 'rtl' ? `\u2068${value}\u2069` : value)
  const filled = (text: string) => fill(text, values, (value) => (value === '' ? '' : isolated(value)))
  const pair = (label: string, value: string) => pairText(words, label, isolated(value))
  const body = [
    content.testMode === true && words.testMode,
    wording.amount === false ? wording.title : `${wording.title}\n${isolated(wording.amount)}`,
    ...wording.paragraphs.map(filled),
    ...[wording.action, wording.otherAction].map(
      (action) => action !== false && `${pairText(words, action.label, '').trimEnd()}\n${action.url}`,
    ),
    wording.facts.map(({ label, value }) => pair(label, value)).join('\n'),
    [
      ...wording.lines.map(({ label, amount }) => pair(isolated(label), amount)),
      ...wording.sums.map(({ label, value }) => pair(label, value)),
    ].join('\n'),
    ...wording.outro.map(filled),
    wording.attached,
  ]
  const footer = [
    content.brand.businessName,
    ...wording.contacts.map(({ text, url }) => (url.startsWith('http') ? url : text)),
    content.unsubscribeUrl !== undefined && pairText(words, words.unsubscribe, content.unsubscribeUrl),
  ].filter((line) => line !== false)
  const paragraphs = [...body, `-- \n${footer.map(onOneLine).join('\n')}`]
  return `${paragraphs.filter((paragraph) => paragraph !== false && paragraph !== '').join('\n\n')}\n`
}
