import { test } from 'vitest'
import { ACQUIRER_NAMES, type AcquirerName } from '../../port/adapter.ts'
import type { PortUnderTest } from '../port-harness.ts'
import { describePort } from '../port-suite.ts'
import { type FoundAccount, readTestAccount } from './environment.ts'
import { adyenPort, airwallexPort, stripePort } from './real-ports.ts'

const PORTS = { stripe: stripePort, adyen: adyenPort, airwallex: airwallexPort }

for (const acquirer of ACQUIRER_NAMES) {
  const found = readTestAccount(acquirer, process.env)
  if (found.kind === 'account') {
    const port = await PORTS[acquirer](found.account)
    describePort(`a test account at ${acquirer}`, port)
    announce(acquirer, `run against ${new URL(found.account.apiBase).host}; ${left(port)}`)
  } else {
    announce(acquirer, `${found.kind}, ${found.reason}`)
    test(`${acquirer} with a test account`, ({ skip }) => refuseOrSkip(found, skip))
  }
}

function refuseOrSkip(found: Exclude<FoundAccount, { kind: 'account' }>, skip: (note: string) => void): void {
  if (found.kind === 'refused') throw new Error(`the run is refused: ${found.reason}`)
  skip(found.reason)
}

function left({ lacks }: PortUnderTest): string {
  const reasons = Object.entries(lacks ?? {}).map(([ability, reason]) => `${ability} (${reason})`)
  return `left out: ${reasons.join(', ')}`
}

function announce(acquirer: AcquirerName, text: string): void {
  // oxlint-disable-next-line no-console
  console.log(`${acquirer}: ${text}`)
}
