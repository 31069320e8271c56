import { pipelinedWire } from '#platform/postgres/wire/pipelined-wire'
import { plainWire } from '#platform/postgres/wire/plain-wire'
import type { Wire } from '#platform/postgres/wire/wire'

export const wire: Wire = process.env['TEST_POSTGRES_DRIVER'] === 'plain' ? plainWire : pipelinedWire
