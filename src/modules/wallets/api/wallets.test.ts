import { afterAll, expect, test } from 'vitest'
import { RequestError } from '#kernel/errors'
import { compileValidation } from '#platform/http/validation/validation'
import { eventually } from '#platform/testing/until'
import { AddressDeriver } from '../addresses/deposit-address.ts'
import { walletRoutes } from './routes.ts'
import { startAnvil } from '../testing/anvil.ts'
import { testChain, TEST_ROOT } from '../testing/chains.ts'
import { createFixture, newWallet, transactionsOf } from '../testing/fixture.ts'

const fixture = await createFixture()
const anvil = await startAnvil()
afterAll(() => anvil.stop())
const chains = [testChain([anvil.url]), testChain([anvil.url], { name: 'second' })]
const wallets = fixture.createWallets(chains)
const firstPage = { list: 'digital_wallets', offset: 0, limit: 20, after: undefined }

// Proves reference/wallets#wallets, reference/wallets#addresses.
test('a user has one wallet over all chains, however often it is created', async () => {
  const { caller } = await fixture.business()
  const created = await Promise.all(Array.from({ length: 8 }, () => newWallet(wallets, caller, 'ada')))
  expect(new Set(created.map((wallet) => wallet.id)).size).toBe(1)
  const { address, ...wallet } = created[0] ?? { address: '' }
  expect(wallet).toEqual({
    id: expect.stringMatching(/^wal_/),
    p_user_id: 'ada',
    addresses: [
      { blockchain: 'anvil', address },
      { blockchain: 'second', address },
    ],
    balances: [],
    p_created_at: expect.any(String),
  })
  // The first business of this file has number 1, and its wallets are numbered without gaps.
  const deriver = new AddressDeriver(TEST_ROOT.publicExtendedKey)
  expect(address).toBe(deriver.addressOf(1, 1))
  expect((await newWallet(wallets, caller, 'bob')).address).toBe(deriver.addressOf(1, 2))
})

test('a list of wallets is newest first, can be limited to a user, and never shows another business’s', async () => {
  const { caller } = await fixture.business()
  const other = await fixture.business()
  await newWallet(wallets, other.caller, 'a')
  const ids: string[] = []
  for (const user of ['a', 'b', 'c']) ids.unshift((await newWallet(wallets, caller, user)).id)
  const all = await wallets.list(caller, undefined, firstPage)
  expect(all.digital_wallets.map((wallet) => wallet.id)).toEqual(ids)
  expect(all.page).toEqual({ offset: 0, limit: 20, has_more: false, next_cursor: null })
  const ofUser = await wallets.list(caller, 'b', firstPage)
  expect(ofUser.digital_wallets).toMatchObject([{ id: ids[1] }])
  expect((await wallets.list(caller, 'nobody', firstPage)).digital_wallets).toEqual([])
})

test('a wallet of another user or business is not found', async () => {
  const { caller } = await fixture.business()
  const other = await fixture.business()
  const wallet = await newWallet(wallets, caller, 'mine')
  const notFound = { status: 404, reason: 'wallet_not_found' }
  const list = (by: typeof caller, user: string, id: string) =>
    wallets.listTransactions(by, { p_user_id: user, wallet_id: id }, firstPage)
  await expect(list(caller, 'other', wallet.id)).rejects.toMatchObject(notFound)
  await expect(list(other.caller, 'mine', wallet.id)).rejects.toMatchObject(notFound)
  await expect(list(caller, 'mine', 'wal_absent')).rejects.toMatchObject(notFound)
  await expect(wallets.addressQr(other.caller, wallet.id, 'anvil')).rejects.toMatchObject(notFound)
  await expect(wallets.addressQr(caller, wallet.id, 'tron')).rejects.toMatchObject({
    status: 404,
    reason: 'blockchain_not_found',
  })
  const { address_qr } = await wallets.addressQr(caller, wallet.id, 'second')
  expect(address_qr).toMatchObject({
    address: wallet.address,
    svg: expect.stringMatching(/^<svg .*<\/svg>$/s),
  })
})

// Proves reference/wallets#fee-rules.
test('a user’s fee rule overrides the business’s, and both fees default to 0.00', async () => {
  const { caller, businessId } = await fixture.business()
  const business = { type: 'business' } as const
  const user = { type: 'user', user_id: 'ada' } as const
  const noFee = { fixed_fee: '0.00', percentage_fee: '0.00', business_id: businessId }
  expect(await wallets.feeRules(caller, business)).toEqual({ fee_rules: [noFee] })
  expect(await wallets.feeRules(caller, user)).toEqual({ fee_rules: [noFee] })
  const set = await wallets.setFeeRule(caller, { ...business, fixed_fee: '0.5', percentage_fee: '1.25' })
  const ofBusiness = { fixed_fee: '0.50', percentage_fee: '1.25', business_id: businessId }
  expect(set).toEqual({ fee_rules: [ofBusiness] })
  expect(await wallets.feeRules(caller, user)).toEqual({ fee_rules: [ofBusiness] })
  await wallets.setFeeRule(caller, { ...user, fixed_fee: '1.00', percentage_fee: '0' })
  const ofUser = { fixed_fee: '1.00', percentage_fee: '0.00', user_id: 'ada', business_id: businessId }
  expect(await wallets.feeRules(caller, user)).toEqual({ fee_rules: [ofUser] })
  expect(await wallets.feeRules(caller, business)).toEqual({ fee_rules: [ofBusiness] })
  await wallets.setFeeRule(caller, { ...user, fixed_fee: '2', percentage_fee: '0' })
  expect(await wallets.feeRules(caller, user)).toMatchObject({ fee_rules: [{ fixed_fee: '2.00' }] })
})

test('a rule of type user requires user_id, and one of type business refuses it', async () => {
  const { caller } = await fixture.business()
  const fees = { fixed_fee: '1', percentage_fee: '1' }
  const missing = { status: 400, detail: { param: 'user_id' } }
  await expect(wallets.feeRules(caller, { type: 'user' })).rejects.toMatchObject(missing)
  await expect(wallets.setFeeRule(caller, { type: 'user', ...fees })).rejects.toMatchObject({
    status: 400,
    detail: { param: 'fee_rule.user_id' },
  })
  const both = { type: 'business', user_id: 'ada', ...fees } as const
  await expect(wallets.setFeeRule(caller, both)).rejects.toMatchObject({ status: 422 })
})

test('a request body that breaks the schema is refused with the name of the member', () => {
  const routes = walletRoutes(wallets.ctx)
  const refusal = (method: string, path: string, body: object) => {
    const route = routes.find((one) => one.method === method && one.path.endsWith(path))
    if (route === undefined) throw new Error('no route')
    try {
      compileValidation(route).body(Buffer.from(JSON.stringify(body)))
      return null
    } catch (error) {
      return error instanceof RequestError ? [error.status, error.detail.param] : error
    }
  }
  const rule = { type: 'user', user_id: 'a', fixed_fee: '1', percentage_fee: '1' }
  expect(refusal('PUT', '/fee_rule', { fee_rule: rule })).toBeNull()
  expect(refusal('PUT', '/fee_rule', { fee_rule: { ...rule, fixed_fee: 1 } })).toEqual([
    400,
    'fee_rule.fixed_fee',
  ])
  expect(refusal('PUT', '/fee_rule', { fee_rule: { ...rule, fee: '1' } })).toEqual([400, 'fee_rule.fee'])
  expect(refusal('POST', '/digital_wallets', { digital_wallet: {} })).toEqual([
    400,
    'digital_wallet.p_user_id',
  ])
})

// Proves reference/wallets#listing.
test('start_at and end_at are inclusive, in Hong Kong time, and compare with the block’s time', async () => {
  const running = await fixture.startWallets([chains[0] ?? testChain([])])
  const { caller } = await fixture.business()
  const wallet = await newWallet(running, caller, 'times')
  const sender = anvil.accounts[0]
  const base = Temporal.PlainDateTime.from('2030-01-01T00:00:00')
  const inHongKong = (seconds: number) =>
    base.add({ seconds }).toString({ smallestUnit: 'second' }).replace('T', ' ')
  for (let i = 0; i < 5; i++) {
    const at = base.add({ seconds: i }).toZonedDateTime('Asia/Hong_Kong').epochMilliseconds / 1_000
    await anvil.rpc('evm_setNextBlockTimestamp', at)
    await anvil.send({ from: sender, to: wallet.address, value: `0x${(i + 1).toString(16)}` })
  }
  const all = await eventually(
    () => transactionsOf(running, caller, wallet),
    (transactions) => transactions.length === 5,
  )
  expect(all.map((one) => one.p_created_at)).toEqual(
    [4, 3, 2, 1, 0].map((second) => `2029-12-31T16:00:0${second}.000Z`),
  )
  const between = async (range: { start_at?: string; end_at?: string }) => {
    const query = { p_user_id: 'times', wallet_id: wallet.id, ...range }
    const { transactions } = await running.listTransactions(caller, query, firstPage)
    return transactions.map((one) => Number(one.amount.slice(-1)))
  }
  expect(await between({ start_at: inHongKong(1), end_at: inHongKong(3) })).toEqual([4, 3, 2])
  expect(await between({ start_at: inHongKong(2), end_at: inHongKong(2) })).toEqual([3])
  expect(await between({ start_at: inHongKong(4) })).toEqual([5])
  expect(await between({ end_at: inHongKong(0) })).toEqual([1])
  await expect(between({ start_at: inHongKong(1), end_at: inHongKong(0) })).rejects.toMatchObject({
    status: 422,
    reason: 'time_range_reversed',
  })
  await expect(between({ end_at: '2026-02-30 00:00:00' })).rejects.toMatchObject({
    status: 400,
    detail: { param: 'end_at' },
  })

  const paged: string[] = []
  let after: { at: Temporal.Instant; id: string } | undefined
  for (let pages = 0; pages < 3; pages++) {
    const { transactions } = await running.listTransactions(
      caller,
      { p_user_id: 'times', wallet_id: wallet.id },
      { list: 'wallet_transactions', offset: 0, limit: 2, after },
    )
    paged.push(...transactions.map((one) => one.id))
    const last = transactions.at(-1)
    if (last !== undefined) after = { at: Temporal.Instant.from(last.p_created_at), id: last.id }
  }
  expect(paged).toEqual(all.map((one) => one.id))
  await fixture.stopWallets(running)
})
