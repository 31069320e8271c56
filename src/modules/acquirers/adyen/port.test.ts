import { expect } from 'vitest'
import type { Movement } from '../../../../twins/common/books.ts'
import type { Notice } from '../port/notices.ts'
import { describePort } from '../testing/port-suite.ts'
import { card, decide, startAdyenTwin, THREE_D_SECURE, verifyCall } from './testing/adyen-twin.ts'

// Proves reference/acquirers#outcomes.
// Proves reference/acquirers#adyen.
const { acquirer, twin, notices, withheld, receiveNotices } = await startAdyenTwin('Shop', {
  withholdsNotices: true,
})
await receiveNotices({ repeat: 1, shuffle: false })

/**
 * A sale is an authorization and its capture, which alone moves the money. A hold that was canceled again is no hold. Nothing
 * else is left out: a second capture, or a capture beside a cancel, would be seen.
 */
function standing(movements: readonly Movement[]): Movement[] {
  const captured = new Set(movements.flatMap(({ key }) => /^(.*):capture$/.exec(key)?.[1] ?? []))
  const canceled = new Set(
    movements
      .filter(({ operation, outcome }) => operation === 'void' && outcome === 'approved')
      .map(({ reference }) => reference),
  )
  return movements.flatMap((movement) => {
    const { key, operation, reference } = movement
    if (key.endsWith(':capture')) return [{ ...movement, key: ownKey(key), operation: 'sale' }]
    if (operation !== 'authorization') return [movement]
    return captured.has(key) || canceled.has(reference) ? [] : [movement]
  })
}

function ownKey(key: string): string {
  return key.replace(/:(capture|cancel)$/, '')
}

/** Waits for the notice of every movement, hands over all, and returns those that are new. */
async function deliverNotices(): Promise<readonly Notice[]> {
  const movements = await twin.books()
  await expect.poll(() => movements.filter((movement) => !isReported(movement))).toEqual([])
  const delivered = withheld.splice(0)
  notices.push(...delivered)
  return delivered
}

function isReported({ key, operation, reference }: Movement): boolean {
  return [...notices, ...withheld].some(
    ({ subject, type }) =>
      subject.key === ownKey(key) &&
      (operation === 'authorization'
        ? type === 'AUTHORISATION' && subject.reference === reference
        : type !== 'AUTHORISATION'),
  )
}

async function storedCard(holderName: string) {
  const { instrument } = await acquirer.verify(verifyCall({ instrument: card(holderName) }).request)
  if (instrument === undefined) throw new Error('the card is not stored')
  return { type: 'acquirer_token', id: instrument.id, payerReference: instrument.payerReference } as const
}

describePort('the twin of Adyen', {
  connect: async () => acquirer,
  books: async () => standing(await twin.books()),
  setFaults: (faults) => twin.setFaults(faults),
  instruments: {
    approves: card(),
    declinesSoft: card('NOT_ENOUGH_BALANCE'),
    declinesHard: card('BLOCK_CARD'),
    challenges: card('Chan Tai Man', THREE_D_SECURE),
    needsPayer: await storedCard('LATER AUTHENTICATION_REQUIRED'),
  },
  answerChallenge: decide,
  keys: { trustedHours: 7 * 24 - 1, forget: () => twin.pruneKeys() },
  deliverNotices,
  holdsBeforeCommit: true,
})
