import type { Tx } from '#platform/postgres/database'
import type { MessagesDependencies } from './dependencies.ts'
import type { Message } from './model/message.ts'
import type { MessageSettings } from './model/settings.ts'

/**
 * Makes the link by which a message leads into the portal: a `portal_link` to the session that it is about, others to the
 * cards. Undefined where the business has no such portal, or the session has ended.
 */
export type PortalLinkMaker = (
  tx: Tx,
  message: Pick<Message, 'id' | 'kind' | 'objectId'>,
) => Promise<string | undefined>

/** - `settingsOf`: Cached briefly, so that a transaction that makes no messages needs no statement to know it. */
export interface MessagesContext extends MessagesDependencies {
  readonly settingsOf: (businessId: string) => Promise<MessageSettings>
  readonly portalLinkMakers: PortalLinkMaker[]
  /** The domain of Message-ID. */
  readonly domain: () => string
  readonly present: { readonly event: (message: Message) => object }
}
