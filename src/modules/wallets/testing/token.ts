import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { concatHex, encodeDeployData, encodeFunctionData, getAddress, numberToHex, pad } from 'viem/utils'
import type { Abi, Hex } from 'viem'
import { TRANSFER_TOPIC } from '../node/rpc-responses.ts'
import type { Anvil } from './anvil.ts'

const artifact = JSON.parse(
  readFileSync(
    createRequire(import.meta.url).resolve(
      '@openzeppelin/contracts/build/contracts/ERC20PresetFixedSupply.json',
    ),
    'utf8',
  ),
) as { abi: Abi; bytecode: Hex }

export interface TestToken {
  readonly address: Hex
  transfer(to: string, units: bigint, from?: string): Promise<Hex>
  /** Does not wait for mining, so that one block can hold all the transfers. */
  sendAll(transfers: readonly { readonly to: string; readonly units: bigint }[]): Promise<void>
}

export async function deployToken(
  anvil: Anvil,
  options: { name?: string; symbol?: string; supply?: bigint } = {},
): Promise<TestToken> {
  const owner = anvil.accounts[0]
  if (owner === undefined) throw new Error('no account')
  const data = encodeDeployData({
    abi: artifact.abi,
    bytecode: artifact.bytecode,
    args: [options.name ?? 'Token', options.symbol ?? 'TKN', options.supply ?? 10n ** 40n, owner],
  })
  const address = await deploy(anvil, data)
  const transaction = (to: string, units: bigint, from: string = owner) => ({
    from,
    to: address,
    gas: '0x30d40',
    // A fixed price makes a repeated transfer after a reorg the same transaction.
    gasPrice: '0x12a05f200',
    data: encodeFunctionData({ abi: artifact.abi, functionName: 'transfer', args: [to, units] }),
  })
  return {
    address,
    transfer: async (to, units, from) => (await anvil.send(transaction(to, units, from))).transactionHash,
    sendAll: async (transfers) => {
      const nonce = Number(await anvil.rpc<Hex>('eth_getTransactionCount', owner, 'pending'))
      await anvil.batch(
        transfers.map(({ to, units }, index) => ({
          method: 'eth_sendTransaction',
          params: [{ ...transaction(to, units), nonce: numberToHex(nonce + index) }],
        })),
      )
    },
  }
}

/**
 * Deploys a contract whose constructor emits logs that only resemble transfers to `to`: one without data, one with four
 * topics, one of 0 units. EVM code: PUSH32 topics, PUSH1 size, PUSH1 offset, LOG3 or LOG4.
 */
export async function deployFakeTransferToken(anvil: Anvil, to: string): Promise<Hex> {
  const topic = (value: Hex): Hex => concatHex(['0x7f', pad(value, { size: 32 })])
  const [from, receiver] = [topic('0x01'), topic(to as Hex)]
  const transfer = topic(TRANSFER_TOPIC)
  const noData = concatHex([receiver, from, transfer, '0x60006000a3'])
  const nft = concatHex([topic('0x07'), receiver, from, transfer, '0x60006000a4'])
  const nothing = concatHex([receiver, from, transfer, '0x60206000a3'])
  return deploy(anvil, concatHex([noData, nft, nothing, '0x00']))
}

/** Makes the address a contract that reverts every call. EVM code: PUSH1 0, PUSH1 0, REVERT. */
export async function makeReverting(anvil: Anvil, address: string): Promise<void> {
  await anvil.rpc('anvil_setCode', address, '0x60006000fd')
}

async function deploy(anvil: Anvil, data: Hex): Promise<Hex> {
  const receipt = await anvil.send({ from: anvil.accounts[0], data, gas: '0x4c4b40' })
  return getAddress(receipt.contractAddress)
}
