import { domainToASCII } from 'node:url'
import { PassThrough, type Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { createTransport } from 'nodemailer'
import { onOneLine } from '#kernel/one-line'
import type { Config } from '#platform/config'
import { isMailAddress } from './address.ts'
import { type DkimKey, dkimSignature } from './dkim.ts'
import { paced } from './pace.ts'

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html?: string
}

/**
 * - `recipients`: Who gets it now, which the headers do not say: some of `to` and `cc`, and blind copies.
 * - `messageId`: The value of the header, the same for each try.
 */
interface TrackedMail extends Mail {
  readonly recipients: readonly string[]
  readonly messageId: string
  readonly cc?: readonly string[]
  readonly replyTo?: string | null
  readonly headers?: Readonly<Record<string, string>>
  readonly attachments?: readonly Attachment[]
}

export interface Attachment {
  readonly name: string
  readonly contentType: string
  readonly content: Buffer
}

/** - `isPermanent`: The server refused this recipient by 5xx. */
interface RefusedRecipient {
  readonly address: string
  readonly isPermanent: boolean
  readonly response: string
}

export interface Handover {
  readonly accepted: readonly string[]
  readonly refused: readonly RefusedRecipient[]
}

export interface Mailer {
  /** The domain of the sender's address. */
  readonly domain: string
  /** Resolves once the SMTP server has accepted the message, which says nothing about its delivery. */
  send(mail: Mail): Promise<void>
  /** Says of each recipient whether the server accepted it. Rejects when the server took or refused nothing. */
  handOver(mail: TrackedMail): Promise<Handover>
  close(): void
}

const CONNECT_TIMEOUT_MS = 10_000
const RESPONSE_TIMEOUT_MS = 20_000
/** A reply has a line for each extension of the server. Reading 1 MiB of such lines holds the event loop for 400 ms. */
const MAX_RESPONSE_BYTES = 32 * 1024
/** With 100 ms for each mail, five connections would carry 50 mails a second. Mail servers commonly take 20 from one host. */
const MAX_CONNECTIONS = 10
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

type MailerConfig = Pick<Config, 'smtpUrl' | 'mailFrom'> & Partial<Pick<Config, 'dkim' | 'mailsPerSecond'>>

export function createMailer({
  smtpUrl,
  mailFrom,
  dkim,
  mailsPerSecond = 0,
}: MailerConfig): Mailer | undefined {
  if (smtpUrl === undefined || mailFrom === undefined) return undefined
  const { hostname, password } = new URL(smtpUrl)
  const settings = {
    url: smtpUrl,
    // A password never travels in the clear, unless the URL says `requireTLS=false`.
    requireTLS: password !== '' && !LOOPBACK.test(hostname),
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: RESPONSE_TIMEOUT_MS,
    maxResponseSize: MAX_RESPONSE_BYTES,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
  const single = createTransport(settings)
  const pool = createTransport({
    ...settings,
    pool: true,
    maxConnections: MAX_CONNECTIONS,
    // Who sends tries again: what a server did with a message before the connection broke is not known.
    maxRequeues: 0,
  })
  if (dkim !== undefined) {
    const signs: Parameters<typeof pool.use>[1] = (mail, done) => {
      mail.message.processFunc((input: Readable) => {
        const output = new PassThrough()
        buffer(input).then(
          (written) => output.end(signed(withCrlf(written), dkim)),
          (error: unknown) => output.destroy(error instanceof Error ? error : new Error(String(error))),
        )
        return output
      })
      done()
    }
    for (const transport of [single, pool]) transport.use('stream', signs)
  }
  // The pool's own limit lets each of its connections send one mail more.
  const turn = paced(mailsPerSecond)
  const headers = { 'Auto-Submitted': 'auto-generated' }
  return {
    domain: domainOf(mailFrom),
    send: async ({ to, subject, ...content }) => {
      await single.sendMail({
        from: mailFrom,
        to: recipientOf(to),
        subject: onOneLine(subject),
        headers,
        ...content,
      })
    },
    handOver: async (mail) => {
      await turn()
      try {
        const { rejectedErrors = [] } = await pool.sendMail({
          from: mailFrom,
          to: recipientOf(mail.to),
          ...(mail.cc !== undefined && { cc: mail.cc.map(recipientOf) }),
          ...(mail.replyTo != null && { replyTo: recipientOf(mail.replyTo) }),
          envelope: { from: addressOf(mailFrom), to: [...mail.recipients] },
          messageId: mail.messageId,
          subject: onOneLine(mail.subject),
          text: mail.text,
          ...(mail.html !== undefined && { html: mail.html }),
          headers: { ...headers, ...mail.headers },
          attachments: (mail.attachments ?? []).map(({ name, contentType, content }) => ({
            filename: name,
            contentType,
            content,
          })),
        })
        return handoverOf(mail.recipients, rejectedErrors.map(refusalOf))
      } catch (error) {
        const refused = refusalsOf(error)
        if (refused.length === 0) throw error
        return { ...handoverOf(mail.recipients, refused), accepted: [] }
      }
    },
    close: () => pool.close(),
  }
}

function signed(message: Buffer, dkim: DkimKey): Buffer {
  return Buffer.concat([Buffer.from(dkimSignature(message, dkim), 'latin1'), message])
}

/** As the connection sends the message: it writes line feeds of texts as CRLF, and the signature covers what is sent. */
function withCrlf(message: Buffer): Buffer {
  return Buffer.from(message.toString('latin1').replace(/\r?\n/g, '\r\n'), 'latin1')
}

function recipientOf(address: string) {
  if (!isMailAddress(address)) throw new Error('a message needs exactly one e-mail address')
  return { name: '', address }
}

function addressOf(sender: string): string {
  return /<([^<>]+)>$/.exec(sender)?.[1] ?? sender
}

function domainOf(sender: string): string {
  const address = addressOf(sender)
  return address.slice(address.lastIndexOf('@') + 1)
}

/** The server's names of recipients are compared without case, and domains as it was sent them. */
function handoverOf(recipients: readonly string[], refused: readonly RefusedRecipient[]): Handover {
  const byName = new Map(refused.map((one) => [canonical(one.address), one]))
  return {
    accepted: recipients.filter((address) => !byName.has(canonical(address))),
    refused: recipients.flatMap((address) => {
      const one = byName.get(canonical(address))
      return one === undefined ? [] : [{ ...one, address }]
    }),
  }
}

function canonical(address: string): string {
  const at = address.lastIndexOf('@')
  return `${address.slice(0, at)}@${domainToASCII(address.slice(at + 1))}`.toLowerCase()
}

interface RecipientError {
  readonly recipient?: unknown
  readonly responseCode?: unknown
  readonly response?: unknown
}

function refusalOf(error: RecipientError): RefusedRecipient {
  const code = typeof error.responseCode === 'number' ? error.responseCode : 0
  return {
    address: typeof error.recipient === 'string' ? error.recipient : '',
    isPermanent: code >= 500 && code < 600,
    response: typeof error.response === 'string' ? error.response : '',
  }
}

function refusalsOf(error: unknown): RefusedRecipient[] {
  if (!(error instanceof Error) || !('rejectedErrors' in error) || !Array.isArray(error.rejectedErrors))
    return []
  return error.rejectedErrors.map((one: RecipientError) => refusalOf(one))
}
