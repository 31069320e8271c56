import { expect, test } from 'vitest'
import { addressOfPublicKey, checksumAddress, isAddress } from './address.ts'

/** The examples of ERC-55. */
const EXAMPLES = [
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
  '0xde709f2102306220921060314715629080e2fb77',
  '0x27b1fdb04752bbc536007a920d24acb045561c26',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
]

// Proves reference/wallets#addresses.
test('an address is shown in the mixed case of ERC-55, whatever case it has', () => {
  for (const address of EXAMPLES) {
    expect(checksumAddress(address.toLowerCase())).toBe(address)
    expect(checksumAddress(`0x${address.slice(2).toUpperCase()}`)).toBe(address)
  }
})

test('the address of a public key is the one that everybody else derives', () => {
  // The generator of secp256k1, which is the public key of the private key 1.
  const x = '79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'
  const y = '483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8'
  expect(addressOfPublicKey(Buffer.from(`04${x}${y}`, 'hex'))).toBe(
    '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf',
  )
})

test('what is no address is refused', () => {
  for (const text of [
    '',
    '0x',
    '0xab',
    `0x${'g'.repeat(40)}`,
    'ab'.repeat(20),
    `0x${'ab'.repeat(20)}\n`,
    ` 0x${'ab'.repeat(20)}`,
  ]) {
    expect(isAddress(text)).toBe(false)
    expect(() => checksumAddress(text)).toThrow(RangeError)
  }
})
