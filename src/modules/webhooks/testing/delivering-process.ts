import { pino } from 'pino'
import { openDatabase } from '#platform/postgres/open-database'
import { Egress } from '#platform/security/egress'
import { EventLog } from '#platform/events/events'
import { createTestKeyring } from '#platform/testing/keyring'
import { DeliveryWorker } from '../queue/delivery-worker.ts'

const [, , url = '', keyInBase64 = ''] = process.argv
new DeliveryWorker({
  db: await openDatabase({ url, maxConnections: 6, readers: 1 }),
  events: new EventLog(),
  egress: new Egress({ allowPrivate: true }),
  keyring: createTestKeyring(Buffer.from(keyInBase64, 'base64')).keyring,
  businesses: {
    webhookSecrets: () => Promise.reject(new Error('no business has a secret here')),
    profile: () => Promise.reject(new Error('nothing is listed here')),
  },
  sources: [],
  log: pino({ level: 'error' }),
  onFailure: () => {},
}).start()
process.send?.('started')
