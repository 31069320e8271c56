import { billingConfigKey } from '#kernel/billing-config'
import { newId } from '#kernel/ids'
import { parseRecurrenceRule } from '#kernel/recurrence-rule'
import type { Refused } from '#kernel/refusal'
import type { Tx } from '#platform/postgres/database'
import { type BillingConfigRecord, configOfRule, findConfigOfRule, findConfigs } from '#modules/catalogue'
import type { Cycle } from '../model/plan.ts'

/** - `newConfigs`: Configs of rules that are not stored yet, by `billingConfigKey`. */
export interface ReadConfigs {
  readonly records: readonly BillingConfigRecord[]
  readonly newConfigs: ReadonlyMap<string, BillingConfigRecord>
}

/** A text with a digit or an underscore and without `=` is an id (reference/recurring#recurrence-rules). */
const CONFIG_ID = /^(?=[^=]*[\d_])[^=\s]+$/

export type ConfigRefusal = Refused<'billing_config_not_found' | 'recurrence_rule_unsupported'>

export async function readConfigs(
  tx: Tx,
  texts: readonly { readonly text: string; readonly param: string }[],
): Promise<ReadConfigs | ConfigRefusal> {
  const configsById = await findConfigs(
    tx,
    texts.flatMap(({ text }) => (CONFIG_ID.test(text) ? [text] : [])),
  )
  const newConfigs = new Map<string, BillingConfigRecord>()
  const records: BillingConfigRecord[] = []
  for (const { text, param } of texts) {
    const record = CONFIG_ID.test(text)
      ? configsById.get(text)
      : await configOfText(tx, text, param, newConfigs)
    if (record === undefined) return { refused: 'billing_config_not_found', param }
    if ('refused' in record) return record
    records.push(record)
  }
  return { records, newConfigs }
}

/** Another plan may have stored the config of the same rule meanwhile. Returns the stored configs by the ids of the new ones. */
export async function storeConfigs(
  tx: Tx,
  newConfigs: ReadConfigs['newConfigs'],
): Promise<Map<string, BillingConfigRecord>> {
  const stored = new Map<string, BillingConfigRecord>()
  for (const [key, config] of newConfigs) stored.set(config.id, await configOfRule(tx, config, key))
  return stored
}

export function withStoredConfigs(
  cycles: readonly Cycle[],
  stored: ReadonlyMap<string, BillingConfigRecord>,
): Cycle[] {
  return cycles.map((cycle) => {
    const config = stored.get(cycle.config.id)
    return config === undefined ? cycle : { ...cycle, config }
  })
}

async function configOfText(
  tx: Tx,
  text: string,
  param: string,
  newConfigs: Map<string, BillingConfigRecord>,
): Promise<BillingConfigRecord | ConfigRefusal> {
  const config = parseRecurrenceRule(text)
  if ('problem' in config) {
    return { refused: 'recurrence_rule_unsupported', param, message: `The rule ${config.message}.` }
  }
  const key = billingConfigKey(config)
  const existing = newConfigs.get(key) ?? (await findConfigOfRule(tx, key))
  if (existing !== undefined) return existing
  const record = { ...config, id: newId('rbc'), description: null, createdAt: tx.now }
  newConfigs.set(key, record)
  return record
}
