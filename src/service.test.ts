import { expect, test } from 'vitest'
import { ConfigError, readConfig } from '#platform/config'
import { createLog } from '#platform/log'
import { startService } from './service.ts'

test('an extended private key is refused before anything has started, and not quoted', async () => {
  const config = readConfig({
    DATABASE_URL: 'postgres://127.0.0.1:1/no-such-database',
    WALLET_XPUB:
      'xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi',
  })
  const error: unknown = await startService(config, createLog({ level: 'silent' }), {
    api: true,
    worker: true,
  }).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(ConfigError)
  expect(String(error)).toMatch(/WALLET_XPUB holds an extended private key/)
  expect(String(error)).not.toContain('xprv9s21')
})
