import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { strictObject, Text } from '#platform/http/validation/schemas'
import { errors } from '../errors.ts'
import type { UsersDependencies } from '../dependencies.ts'
import { listSettingsOf, putListSettings } from '../storage/list-settings.repository.ts'
import { bodyReader, json } from './session-routes.ts'
import type { Visitors } from './visitor.ts'

const PATH = '/console/api/list_settings'
const MAX_LISTS = 50
const LIST_NAME = /^[a-z][a-z_]{0,39}$/

const Columns = Type.Array(Text({ max: 40 }), { maxItems: 50 })
const ListSettingsBody = strictObject({
  views: Type.Array(
    strictObject({
      name: Text({ max: 40 }),
      filter: Text({ min: 0, max: 1_000 }),
      columns: Type.Optional(Columns),
    }),
    { maxItems: 50 },
  ),
  columns: Type.Optional(Columns),
})

export function registerListSettingsRoutes(
  app: FastifyInstance,
  { db }: UsersDependencies,
  { sessionOf }: Visitors,
): void {
  app.get(PATH, async (request, reply) => {
    const { userId } = await sessionOf(request)
    const rows = await listSettingsOf(db.shared, userId)
    const settings = rows.map((row) => [row.list, JSON.parse(row.settings) as unknown] as const)
    return json(reply, { list_settings: Object.fromEntries(settings) })
  })

  const readSettings = bodyReader(ListSettingsBody)
  app.put<{ Params: { list: string } }>(`${PATH}/:list`, async (request, reply) => {
    const { userId } = await sessionOf(request)
    const { list } = request.params
    const settings = readSettings(request)
    const isKept =
      LIST_NAME.test(list) && (await putListSettings(db.shared, userId, { list, settings, max: MAX_LISTS }))
    if (!isKept) throw errors.list_not_kept()
    return json(reply, { list_settings: { [list]: settings } })
  })
}
