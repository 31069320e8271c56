import { HDKey } from '@scure/bip32'
import { privateKeyToAddress } from 'viem/accounts'
import { bytesToHex } from 'viem/utils'
import { expect, test } from 'vitest'
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
    expect(deriver.addressOf(tenant, wallet)).toBe(privateKeyToAddress(bytesToHex(privateKey)))
  }
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
