import { pbkdf2Sync } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { HDKey } from '@scure/bip32'
import { expect, test } from 'vitest'
import { addressOfPublicKey } from '../model/address.ts'
import { startAnvil } from '../testing/anvil.ts'
import { AddressDeriver, InvalidExtendedKey } from './deposit-address.ts'

const root = HDKey.fromMasterSeed(new Uint8Array(32).fill(42))

// Proves reference/wallets#addresses.
test('the operator can derive the private key of every deposit address at m/<tenant>/<wallet>', () => {
  const deriver = new AddressDeriver(root.publicExtendedKey)
  for (const [tenant, wallet] of [
    [0, 0],
    [1, 1],
    [7, 2_147_483_647],
    [1, 2],
  ] as const) {
    const { privateKey } = root.derive(`m/${tenant}/${wallet}`)
    if (privateKey === null) throw new Error('no private key')
    expect(deriver.addressOf(tenant, wallet)).toBe(
      addressOfPublicKey(secp256k1.getPublicKey(privateKey, false)),
    )
  }
})

test('a chain node derives the same addresses from the seed', async () => {
  const mnemonic = 'test test test test test test test test test test test junk'
  const seed = pbkdf2Sync(mnemonic, 'mnemonic', 2048, 64, 'sha512')
  const deriver = new AddressDeriver(HDKey.fromMasterSeed(seed).derive("m/44'/60'/0'").publicExtendedKey)
  const anvil = await startAnvil({ args: ['--mnemonic', mnemonic, '--accounts', '50'] })
  const derived = anvil.accounts.map((_account, index) => deriver.addressOf(0, index).toLowerCase())
  await anvil.stop()
  expect(derived).toHaveLength(50)
  expect(derived).toEqual(anvil.accounts.map((account) => account.toLowerCase()))
})

test('the extended public key of a test network derives the same addresses', () => {
  const versions = { public: 0x043587cf, private: 0x04358394 }
  const testnet = HDKey.fromMasterSeed(new Uint8Array(32).fill(42), versions)
  expect(testnet.publicExtendedKey).toMatch(/^tpub/)
  expect(new AddressDeriver(testnet.publicExtendedKey).addressOf(3, 4)).toBe(
    new AddressDeriver(root.publicExtendedKey).addressOf(3, 4),
  )
})

test('an extended private key is refused with a message that does not quote it', () => {
  const key = root.privateExtendedKey
  expect(() => new AddressDeriver(key)).toThrow(InvalidExtendedKey)
  expect(() => new AddressDeriver(key)).toThrow(/extended private key; give the extended public key/)
  expect(() => new AddressDeriver(key)).not.toThrow(key.slice(8))
})

test('a mistyped key and a hardened or negative index are refused', () => {
  const key = root.publicExtendedKey
  const mistyped = `${key.slice(0, 50)}${key[50] === 'a' ? 'b' : 'a'}${key.slice(51)}`
  expect(() => new AddressDeriver(mistyped)).toThrow(/checksum/)
  expect(() => new AddressDeriver(key).addressOf(1, 2 ** 31)).toThrow(RangeError)
  expect(() => new AddressDeriver(key).addressOf(-1, 1)).toThrow(RangeError)
})
