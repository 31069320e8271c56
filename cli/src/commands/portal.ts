import { type Command, Option } from 'commander'
import openInBrowser from 'open'
import type { Quittance } from 'quittance'
import { connect } from '../connection.ts'
import { formatOf, note, print, printJson } from '../output.ts'

type NewSession = Parameters<Quittance['portal']['createSession']>[0]

interface Options {
  readonly flow?: NewSession['flow']
  readonly plan?: string
  readonly returnUrl?: string
  readonly readOnly?: boolean
  readonly send?: boolean
  readonly open?: boolean
  readonly json?: boolean
}

export function addPortal(program: Command): void {
  program
    .command('portal')
    .description('make a link to the customer portal, which opens once within 15 minutes')
    .argument('<customer>', 'the uuid of the customer, such as cus_…')
    .addOption(
      new Option('--flow <page>', 'the page at which it opens').choices([
        'payment_method',
        'cancel',
        'change',
      ]),
    )
    .option('--plan <id>', 'the plan at which it opens')
    .option('--return-url <url>', 'where the link back leads')
    .option('--read-only', 'show what the customer sees, and change nothing')
    .option('--send', 'also mail the link to the customer')
    .option('--open', 'open the link in the browser')
    .option('--json', 'print JSON, with the token for the API of the portal')
    .action(async (customer: string, options: Options, command: Command) => {
      const { quittance } = await connect(command)
      const session = await quittance.portal.createSession(sessionOf(customer, options))
      if (options.send === true) note('The link is being mailed to the customer.')
      if (formatOf(options) === 'json') printJson(session)
      else print(session.url)
      if (options.open === true) await openInBrowser(session.url)
    })
}

function sessionOf(customer: string, { flow, plan, returnUrl, readOnly, send }: Options): NewSession {
  return {
    customer_uuid: customer,
    ...(flow !== undefined && { flow }),
    ...(plan !== undefined && { plan_id: plan }),
    ...(returnUrl !== undefined && { return_url: returnUrl }),
    ...(readOnly === true && { read_only: true }),
    ...(send === true && { send: true }),
  }
}
