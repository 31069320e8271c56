import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isMembers, type Members } from '../../port/members.ts'
import { membersOf } from '../members.ts'

const PLACES = [process.env.ACQUIRER_DATA, join('..', 'shared', 'data'), '/work/shared/data']
const folder = PLACES.find((place) => place !== undefined && existsSync(join(place, 'adyen')))

export const EXAMPLES_MISSING = folder === undefined ? 'ACQUIRER_DATA names no folder with adyen/' : null

export function examplesOf(
  file: 'CheckoutService-v72' | 'Webhooks-v1' | 'DisputeService-v30',
): Map<string, Members> {
  if (folder === undefined) return new Map()
  const description: unknown = JSON.parse(readFileSync(join(folder, 'adyen', `${file}.json`), 'utf8'))
  if (!isMembers(description)) throw new Error(`${file} is no description`)
  const examples = membersOf(membersOf(description, 'components'), 'examples')
  return new Map(Object.keys(examples).map((name) => [name, membersOf(membersOf(examples, name), 'value')]))
}
