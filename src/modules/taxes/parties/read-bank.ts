import { electronicFormatIBAN, isValidBIC, isValidIBAN } from 'ibantools'
import type { RequestError } from '#kernel/errors'
import { platformErrors } from '#platform/errors'
import { errors } from '../errors.ts'
import type { BankAccount } from '../model/bank-account.ts'
import type { BankMembers } from '../model/party-requests.ts'

/** @param kind the member that has the account */
export function readBank(members: BankMembers | null, kind: string): BankAccount | null {
  if (members === null) return null
  const iban = readIban(members, kind)
  const accountNumber = members.account_number ?? undefined
  if (iban === undefined && accountNumber === undefined) {
    throw platformErrors.missing_member({
      param: `${kind}.bank.iban`,
      message: 'Send either iban or account_number.',
    })
  }
  if (iban !== undefined && accountNumber !== undefined) {
    throw invalid(kind, 'bank', 'must have either iban or account_number')
  }
  if (accountNumber !== undefined && !/^[A-Za-z0-9]{1,34}$/.test(accountNumber)) {
    throw invalid(kind, 'bank.account_number', 'must be 1 to 34 letters and digits')
  }
  for (const name of NATIONAL) {
    if (iban !== undefined && members[name] != null) {
      throw invalid(kind, `bank.${name}`, 'belongs to an account_number, and an IBAN contains it')
    }
  }
  const { bank_name: bankName, account_holder: accountHolder } = members
  return {
    ...(iban !== undefined && { iban }),
    bic: readBic(members, kind),
    ...(accountNumber !== undefined && { accountNumber }),
    ...(members.bank_code != null && { bankCode: members.bank_code }),
    ...(members.branch_code != null && { branchCode: members.branch_code }),
    ...(bankName != null && { bankName }),
    ...(accountHolder != null && { accountHolder }),
    ...(members.fps_id != null && { fpsId: readFpsId(members.fps_id, kind) }),
  }
}

const NATIONAL = ['bank_code', 'branch_code'] as const

function readIban({ iban: written }: BankMembers, kind: string): string | undefined {
  if (written == null) return undefined
  const iban = electronicFormatIBAN(written) ?? ''
  if (!isValidIBAN(iban)) throw invalid(kind, 'bank.iban', 'is not a valid IBAN')
  return iban
}

function readBic({ bic: written }: BankMembers, kind: string): string | null {
  const bic = written?.replaceAll(/\s/g, '').toUpperCase() ?? null
  if (bic !== null && !isValidBIC(bic)) throw invalid(kind, 'bank.bic', 'is not a valid BIC')
  return bic
}

const FPS_IDS = [
  /^\d{7,9}$/,
  // A mobile number as banks of Hong Kong write it.
  /^\+\d{1,3}-?\d{6,14}$/,
  /^[^@\s]{1,64}@[^@\s]{1,190}$/,
]

function readFpsId(written: string, kind: string): string {
  if (FPS_IDS.some((form) => form.test(written))) return written
  throw invalid(
    kind,
    'bank.fps_id',
    'must be 7 to 9 digits, a phone number such as +852-61234567, or an e-mail address',
  )
}

function invalid(kind: string, member: string, rule: string): RequestError {
  const param = `${kind}.${member}`
  return errors.bank_invalid({ param, message: `${param} ${rule}.` })
}
