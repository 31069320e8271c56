/** The account for transfers. It has an `iban` or an `accountNumber`. `fpsId` is of Hong Kong's Faster Payment System. */
export interface BankAccount {
  readonly iban?: string
  readonly bic: string | null
  readonly accountNumber?: string
  readonly bankCode?: string
  readonly branchCode?: string
  readonly bankName?: string
  readonly accountHolder?: string
  readonly fpsId?: string
}

/** The members as the API names them, without `bic`, which entities and documents show differently. */
export function bankMembers(bank: Omit<BankAccount, 'bic'>) {
  return {
    ...(bank.iban !== undefined && { iban: bank.iban }),
    ...(bank.accountNumber !== undefined && { account_number: bank.accountNumber }),
    ...(bank.bankCode !== undefined && { bank_code: bank.bankCode }),
    ...(bank.branchCode !== undefined && { branch_code: bank.branchCode }),
    ...(bank.bankName !== undefined && { bank_name: bank.bankName }),
    ...(bank.accountHolder !== undefined && { account_holder: bank.accountHolder }),
    ...(bank.fpsId !== undefined && { fps_id: bank.fpsId }),
  }
}
