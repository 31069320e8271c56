import type pg from 'pg'
import { LRUCache } from 'lru-cache'
import sql, { empty } from 'sql-template-tag'
import { realNowMs } from '#kernel/clock'
import { ClockMoved, TookTooLong } from '#platform/postgres/database-errors'
import type { Tx } from '#platform/postgres/database'
import { ClientTx } from '#platform/postgres/plain/client-tx'
import type { DiskSpace } from '#platform/postgres/plain/disk-space'
import { isUnreplicated } from '#platform/postgres/plain/durability'
import { type Entering, isReadOnlySession } from '#platform/postgres/session'
import {
  allSucceeded,
  type ClockRow,
  isReadOnly,
  isSameClock,
  maxWorkMs,
  readByIndex,
  readClock,
  setTenant,
  sharedClockLock,
  type TransactOptions,
} from '#platform/postgres/tenant-session'
import { wire } from '#platform/postgres/wire/current-wire'

const MAX_CACHED_OFFSETS = 5_000

export class Transactions {
  readonly #entering: Entering | undefined
  readonly #diskSpace: DiskSpace
  readonly #offsets = new LRUCache<string, bigint>({ max: MAX_CACHED_OFFSETS })
  #underWay = 0

  constructor(entering: Entering | undefined, diskSpace: DiskSpace) {
    this.#entering = entering
    this.#diskSpace = diskSpace
  }

  /**
   * The clock is read in the transaction. Clocks are moved rarely and in sandboxes only. So if the offset is cached and no other
   * transaction is running, `work` starts at once, and its first statements are sent with BEGIN, a round trip earlier. One
   * caller gets a fifth more done. If the clock turns out to have moved, the transaction is rolled back and retried. While other
   * transactions run, the round trip lets more callers join a set: 32 callers get a third more done.
   */
  async run<T>(
    client: pg.PoolClient,
    businessId: string,
    work: (tx: Tx) => Promise<T>,
    options: TransactOptions,
  ): Promise<T> {
    const startedAtMs = realNowMs()
    let tx: ClientTx | undefined
    let broken: Error | undefined
    const offset = this.#underWay === 0 ? this.#offsets.get(businessId) : undefined
    this.#underWay++
    const begun = this.#begin(client, businessId, options, offset === undefined)
    begun.catch(() => {})
    try {
      const clock = offset === undefined ? await begun : { offset_ms: offset, frozen_at: null }
      tx = new ClientTx(client, businessId, clock, {
        isPrepared: options.isSearch !== true,
        watchesWrites: options.onWrite !== undefined,
      })
      // Check the clock before the outcome: an error, too, may be due to the wrong time.
      const [outcome] = await Promise.allSettled([work(tx)])
      if (!isSameClock(await begun, clock)) throw new ClockMoved()
      if (outcome.status === 'rejected') throw outcome.reason
      if (realNowMs() - startedAtMs > maxWorkMs(options)) throw new TookTooLong()
      await tx.commit()
      if (tx.mayHaveWritten) options.onWrite?.()
      return outcome.value
    } catch (error) {
      tx?.end()
      if (isReadOnlySession(error) || isUnreplicated(client)) broken = error as Error
      await wire.query(client, sql`rollback`).catch((failure: Error) => {
        broken = failure
      })
      const failure = wire.isSkipped(error) ? (tx?.firstFailure ?? error) : error
      this.#diskSpace.note(failure)
      throw failure
    } finally {
      this.#underWay--
      client.release(broken)
    }
  }

  async #begin(
    client: pg.PoolClient,
    businessId: string,
    options: TransactOptions,
    isAwaited: boolean,
  ): Promise<ClockRow> {
    const begun = wire.queryInTransaction(
      client,
      options.isSnapshot === true ? sql`begin isolation level repeatable read, read only` : sql`begin`,
    )
    const entered = this.#entering?.transaction(client, options)
    const lock = isReadOnly(options) ? empty : sql`, ${sharedClockLock(businessId)}`
    const plans = options.isSearch === true ? sql`, ${readByIndex()}` : empty
    const clockRead = readClock(client, businessId, sql`, ${setTenant(businessId)}${lock}${plans}`)
    await allSucceeded([begun, entered ?? begun, clockRead])
    const first = await clockRead
    // A frozen clock may have been set running while the lock was awaited. Otherwise the caller assumed a running clock and
    // will be retried.
    const clock = isAwaited && first.frozen_at !== null ? await readClock(client, businessId) : first
    if (clock.frozen_at === null) this.#offsets.set(businessId, clock.offset_ms)
    else this.#offsets.delete(businessId)
    return clock
  }
}
