import { setTimeout as sleep } from 'node:timers/promises'
import { KEY_FILE_REFRESH_MS, requireKeys } from '#platform/security/key-source'
import { rewraps } from '../maintenance.ts'
import { auditedCommand } from './audited-command.ts'

export const rotateEncryption = auditedCommand(
  { action: 'encryption_keys.rotate' },
  async ({ config, db, keyring, keyFile, businesses, keyIdsInUse }) => {
    // Checked first: a file that must be restored from a backup should not get a new key.
    requireKeys(config, keyring, keyIdsInUse)
    if (keyFile !== undefined) {
      keyFile.startRotation()
      // Afterwards a running service uses the new key too.
      await sleep(KEY_FILE_REFRESH_MS)
    }
    let records = 0
    for await (const { businessId } of businesses.tenants()) {
      for (const rewrap of rewraps(db, keyring)) records += await rewrap(businessId)
    }
    keyFile?.finishRotation()
    return {
      json: { encryption_key_id: keyring.newestKeyId, records },
      text: `${records} records were re-encrypted with key ${keyring.newestKeyId}.`,
    }
  },
)
