import { readFileSync } from 'node:fs'
import { acquirerData } from '../../../../../twins/common/acquirer-data.ts'
import { isMembers, type Members } from '../../port/members.ts'
import { membersOf } from '../members.ts'

export const HAS_EXAMPLES = acquirerData('adyen/CheckoutService-v72.json') !== undefined

export function examplesOf(
  file: 'CheckoutService-v72' | 'Webhooks-v1' | 'DisputeService-v30',
): Map<string, Members> {
  const path = acquirerData(`adyen/${file}.json`)
  if (path === undefined) return new Map()
  const description: unknown = JSON.parse(readFileSync(path, 'utf8'))
  if (!isMembers(description)) throw new Error(`${file} is no description`)
  const examples = membersOf(membersOf(description, 'components'), 'examples')
  return new Map(Object.keys(examples).map((name) => [name, membersOf(membersOf(examples, name), 'value')]))
}
