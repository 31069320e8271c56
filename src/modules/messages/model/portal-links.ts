import type { Message } from './message.ts'

type Text = Pick<Message, 'html' | 'body'>

const OPENING = /(\/portal\/open\/)[\w.-]+/g

/** Whoever opens a link of the portal acts as its customer, so only the recipient may read it. */
export function withoutPortalLinks({ html, body }: Text): Text {
  const masked = (text: string | null) => text?.replace(OPENING, '$1…') ?? null
  return { html: masked(html), body: masked(body) }
}
