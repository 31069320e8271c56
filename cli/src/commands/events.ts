import type { Command } from 'commander'
import { connect } from '../connection.ts'
import { formatOf, note, printJson, printRows } from '../output.ts'
import { Problem } from '../problem.ts'
import { type ListOptions, listCommand, readRows } from './resources.ts'

interface EventListOptions extends ListOptions {
  readonly type?: string
  readonly object?: string
}

export function addEvents(program: Command): void {
  const events = program.command('events').description('list events, or send one again')
  listCommand(events, 'events')
    .option('--type <type>', 'such as order.paid')
    .option('--object <id>', 'of one object, such as ord_…')
    .action(async (options: EventListOptions, command: Command) => {
      const { quittance } = await connect(command)
      const query = {
        ...(options.type !== undefined && { type: options.type }),
        ...(options.object !== undefined && { object_id: options.object }),
      } as NonNullable<Parameters<typeof quittance.events.list>[0]>
      const rows = await readRows(options, (page) => quittance.events.list({ ...query, ...page }))
      printRows(
        rows,
        [
          { title: 'timestamp', of: ({ timestamp }) => timestamp },
          { title: 'type', of: ({ type }) => type },
          { title: 'object_id', of: (event) => event.object_id },
          { title: 'id', of: ({ id }) => id },
        ],
        formatOf(options),
      )
    })
  events
    .command('resend')
    .description('send an event again to the endpoints that it went to')
    .argument('<event id>', 'evt_…')
    .option('--endpoint <id>', 'only to this endpoint')
    .option('--json', 'print JSON')
    .action(async (eventId: string, options: { endpoint?: string; json?: boolean }, command: Command) => {
      const { quittance } = await connect(command)
      const found = await quittance.deliveries
        .list({ event_id: eventId, limit: 100 })
        .toArray({ limit: 1_000 })
      const chosen = found.filter(
        ({ endpoint_id: id }) => options.endpoint === undefined || id === options.endpoint,
      )
      if (chosen.length === 0) {
        throw new Problem(
          found.length === 0
            ? `No delivery of ${eventId} exists: no endpoint wanted it, or it is older than 30 days.`
            : `${eventId} did not go to the endpoint ${String(options.endpoint)}.`,
        )
      }
      const deliveries = []
      for (const { id } of chosen) deliveries.push(await quittance.deliveries.redeliver(id))
      if (formatOf(options) === 'json') printJson(deliveries)
      else for (const { id, url } of deliveries) note(`${id} is being sent again to ${url}.`)
    })
}
