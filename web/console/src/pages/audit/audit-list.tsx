import type { Schemas } from 'quittance'
import { useTranslation } from 'react-i18next'
import { callSession } from '#app/session-api.ts'
import type { ListDefinition } from '#components/list/list-types.ts'
import { OpenButton } from '#components/list/open-button.tsx'
import { PersonName } from '#components/object-name.tsx'
import { StateBadge } from '#components/state-badge.tsx'
import { Time } from '#components/time.tsx'

type AuditEntry = Schemas['AuditEntry']

const ACTORS = ['user', 'api_key', 'command_line', 'payer'] as const
const STATES = ['completed', 'refused', 'failed', 'started'] as const

/** Who changed what. */
export function auditList(onOpen: (entry: AuditEntry) => void): ListDefinition<AuditEntry> {
  return {
    name: 'audit',
    path: '/svc/log/api/v1/openapi/audit_entries',
    load: ({ quittance }, query, signal) => quittance.auditEntries.list(query, { signal }),
    rowId: ({ id }) => id,
    rowOpen: onOpen,
    columns: [
      { id: 'action', phone: 'title', cell: ({ action }) => action },
      { id: 'object', phone: 'detail', cell: ({ object }) => object?.id ?? object?.type ?? '—' },
      { id: 'actor', cell: ({ actor }) => <Actor actor={actor} /> },
      {
        id: 'state',
        phone: 'end',
        cell: ({ state, reason }) => <EntryState state={state} reason={reason} />,
      },
      { id: 'ip_address', isHidden: true, cell: ({ ip_address }) => ip_address ?? '—' },
      { id: 'request_id', isHidden: true, cell: ({ request_id }) => request_id ?? '—' },
      { id: 'sequence', isHidden: true, align: 'right', cell: ({ sequence }) => sequence },
      { id: 'hash', isHidden: true, cell: ({ hash }) => hash },
      {
        id: 'created_at',
        phone: 'end_detail',
        cell: ({ created_at }) => <Time at={created_at} withSeconds />,
      },
      {
        id: 'open',
        align: 'right',
        cell: (entry) => <OpenButton area="audit" onOpen={() => onOpen(entry)} />,
      },
    ],
    filters: [
      { field: 'action', kind: 'text' },
      { field: 'state', kind: 'word', words: STATES },
      { field: 'actor_type', kind: 'word', words: ACTORS },
      { field: 'actor_id', kind: 'exact' },
      { field: 'object_type', kind: 'exact' },
      { field: 'object_id', kind: 'exact' },
      { field: 'created_at', kind: 'time' },
      { field: 'id', kind: 'exact' },
    ],
  }
}

/** What belongs to no business. Only operators may read it. */
export function operatorAuditList(onOpen: (entry: AuditEntry) => void): ListDefinition<AuditEntry> {
  const { path: _, ...list } = auditList(onOpen)
  return {
    ...list,
    query: { chain: 'operator' },
    load: async (_api, { filter, limit, cursor }, signal) => {
      const query = new URLSearchParams({
        limit: String(limit),
        ...(filter !== undefined && { filter }),
        ...(cursor !== undefined && { cursor }),
      })
      const { audit_entries: data, page } = await callSession<{
        audit_entries: AuditEntry[]
        page: Schemas['Page']
      }>('GET', `/audit_entries?${query}`, undefined, signal)
      return { data, nextCursor: page.next_cursor }
    },
  }
}

export function Actor({ actor: { type, id } }: { readonly actor: AuditEntry['actor'] }) {
  const { t } = useTranslation('audit')
  return (
    <>
      {t(`actor.${type}`, { defaultValue: type })} · <PersonName id={id} />
    </>
  )
}

export function EntryState({ state, reason }: Pick<AuditEntry, 'state' | 'reason'>) {
  const { t } = useTranslation('audit')
  const tone = state === 'completed' ? 'good' : state === 'started' ? 'wait' : 'bad'
  const label =
    reason === null ? t(`state.${state}`) : `${t(`state.${state}`)} · ${reason.replaceAll('_', ' ')}`
  return <StateBadge state={state} label={label} tone={tone} />
}
