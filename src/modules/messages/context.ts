import type { Tx } from '#platform/postgres/database'
import type { MessagesDependencies } from './dependencies.ts'
import type { Message } from './model/message.ts'
import type { MessageSettings } from './model/settings.ts'

type PortalFlow = 'payment_method'

/** Makes a link that opens the portal at one of its pages; undefined where the business has no such portal. */
export type PortalLinkMaker = (
  tx: Tx,
  target: { readonly customerUuid: string; readonly flow: PortalFlow; readonly planId: string | null },
) => Promise<string | undefined>

/** - `settingsOf`: Cached briefly, so that a transaction that makes no messages needs no statement to know it. */
export interface MessagesContext extends MessagesDependencies {
  readonly settingsOf: (businessId: string) => Promise<MessageSettings>
  readonly portalLinkMakers: PortalLinkMaker[]
  /** The domain of Message-ID. */
  readonly domain: () => string
  readonly present: { readonly event: (message: Message) => object }
}
