import { hostname, userInfo } from 'node:os'
import { audited, storable } from '#modules/audit-log'
import type { Businesses } from '#modules/businesses'
import { messageOf } from '#platform/thrown'
import type { OperatorCommand } from './operator-command.ts'

export interface CommandAudit {
  readonly action: string
  readonly object?: { readonly type: string; readonly id: string | null }
  readonly tenantOf?: (businesses: Businesses) => Promise<string | undefined>
  readonly request?: object
}

export function auditedCommand(
  { action, object, tenantOf, request }: CommandAudit,
  command: OperatorCommand,
): OperatorCommand {
  return async (context) => {
    const businessId = (await tenantOf?.(context.businesses)) ?? null
    return audited(context.db, {
      action: {
        businessId,
        actor: { type: 'command_line', id: accountName() },
        action,
        origin: hostname(),
        ...(object !== undefined && { object }),
      },
      ...(request !== undefined && { request: storable(request) }),
      work: () => command(context),
      afterOf: ({ json }) => storable(json),
      onLost: (error) =>
        void context.terminal.stderr.write(
          `The audit log could not record the end of this command: ${messageOf(error)}.\n`,
        ),
    })
  }
}

function accountName(): string {
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.() ?? 'unknown')
  }
}
