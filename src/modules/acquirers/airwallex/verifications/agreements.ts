import type { Reply } from '../../port/disputes.ts'
import type { Members } from '../../port/members.ts'
import type { Acquirer } from '../../port/port.ts'
import { isConsentId } from '../payments/methods.ts'
import { failedReply } from '../reports/replies.ts'
import type { AirwallexClient, Via } from '../wire/airwallex-client.ts'
import { isSpent, sendAgain } from '../wire/send-again.ts'

const PATH = '/pa/payment_consents'

export async function agreementOf(client: AirwallexClient, via: Via, id: string): Promise<Reply<Members>> {
  if (!isConsentId(id)) return { kind: 'absent' }
  const answer = await client.get(consentPath(id), {}, via)
  return answer.kind === 'ok' ? { kind: 'ok', value: answer.object } : failedReply(answer)
}

export function consentPath(id: string): string {
  return `${PATH}/${encodeURIComponent(id)}`
}

export function agreements(client: AirwallexClient): NonNullable<Acquirer['agreements']> {
  return {
    read: async (id) => {
      const found = await agreementOf(client, 'ask', id)
      if (found.kind !== 'ok') return found
      return { kind: 'ok', value: found.value.status === 'DISABLED' ? 'ended' : 'active' }
    },
    end: (id, key) => endAgreement(client, id, key),
  }
}

/** Ending twice does no harm, so a request that was answered and that ended nothing is sent again. */
async function endAgreement(client: AirwallexClient, id: string, key: string): Promise<Reply<'ended'>> {
  if (!isConsentId(id)) return { kind: 'ok', value: 'ended' }
  const send = (requestId: string) => client.post(`${consentPath(id)}/disable`, {}, { via: 'ask', requestId })
  const first = await send(key)
  if (first.kind === 'ok' && first.object.status === 'DISABLED') return { kind: 'ok', value: 'ended' }
  if (first.kind !== 'ok' && !isSpent(first)) return endedIfAbsent(failedReply(first))
  const found = await agreementOf(client, 'ask', id)
  if (found.kind === 'absent') return { kind: 'ok', value: 'ended' }
  if (found.kind !== 'ok') return found
  if (found.value.status === 'DISABLED') return { kind: 'ok', value: 'ended' }
  const second = await sendAgain(first, send, key)
  if (second.kind === 'ok' && second.object.status === 'DISABLED') return { kind: 'ok', value: 'ended' }
  return { kind: 'unavailable', message: 'Airwallex has not disabled the consent yet.' }
}

function endedIfAbsent(reply: Reply<never>): Reply<'ended'> {
  return reply.kind === 'absent' ? { kind: 'ok', value: 'ended' } : reply
}
