import type { Transfer } from './transaction.ts'

export interface BlockRange {
  readonly blocks: readonly { readonly number: number; readonly hash: string; readonly timeS: number }[]
  readonly parentHash: string
  readonly transfers: readonly IncomingTransfer[]
  readonly itemCount: number
}

export interface IncomingTransfer extends Transfer {
  readonly businessId: string
}

export interface AddressOwner {
  readonly businessId: string
  readonly walletId: string
}

export type FindOwners = (addresses: readonly string[]) => Promise<ReadonlyMap<string, AddressOwner>>
