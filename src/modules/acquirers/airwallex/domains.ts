import type { Reply } from '../port/disputes.ts'
import { failedReply } from './reports/replies.ts'
import type { AirwallexClient } from './wire/airwallex-client.ts'
import { listOf } from './wire/members.ts'

const DOMAINS = '/pa/config/applepay/registered_domains'

/** The response for a domain that is already registered is not documented, so after a refusal the list of domains is read. */
export async function registerDomain(client: AirwallexClient, domain: string): Promise<Reply<null>> {
  const added = await client.post(`${DOMAINS}/add_items`, { items: [domain] }, { via: 'ask' })
  if (added.kind === 'unknown') return failedReply(added)
  const answer = added.kind === 'ok' ? added : await client.get(DOMAINS)
  if (answer.kind === 'ok' && listOf(answer.object.items).includes(domain)) return { kind: 'ok', value: null }
  if (added.kind !== 'ok') return failedReply(added)
  return { kind: 'refused', message: `Airwallex does not list ${domain} among the registered domains.` }
}
