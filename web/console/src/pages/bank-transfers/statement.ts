import type { Schemas } from 'quittance'

export type BankStatement = Schemas['BankStatement']

/** Transfers that an earlier statement had. */
export function knownOf(statement: BankStatement): number {
  return statement.entries - statement.new
}
