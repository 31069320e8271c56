import Type, { type Static } from 'typebox'
import { strictObject } from '#platform/http/validation/schemas'

const Percent = (description: string) => Type.Integer({ minimum: 0, maximum: 100, description })
export const FAULT_MEMBERS = {
  latency_ms: Type.Integer({
    minimum: 0,
    maximum: 60_000,
    description: 'Waits so long before each response',
  }),
  fail_before_percent: Percent('How often it answers 500 and books nothing'),
  fail_after_percent: Percent('How often it books and answers 500'),
  lose_answer_percent: Percent('How often it books and cuts the connection'),
}

export const FaultSettingsSchema = strictObject(FAULT_MEMBERS)
export type FaultSettings = Static<typeof FaultSettingsSchema>
