import { Button } from '@mantine/core'
import type { Schemas } from 'quittance'
import { useTranslation } from 'react-i18next'
import { ACCOUNT } from '#app/api.ts'
import { useApi } from '#app/shell-context.ts'
import { CopyableId } from '#components/copyable-id.tsx'
import { joinParts } from '#components/joined.ts'
import type { ListDefinition } from '#components/list/list-types.ts'
import { StateBadge } from '#components/state-badge.tsx'
import { Time } from '#components/time.tsx'

export type ApiKey = Schemas['ApiKey']

export function keyList(onRevoke: (key: ApiKey) => void): ListDefinition<ApiKey> {
  return {
    name: 'keys',
    path: `${ACCOUNT}/api_keys`,
    load: ({ quittance }, query, signal) => quittance.apiKeys.list(query, { signal }),
    rowId: ({ id }) => id,
    columns: [
      { id: 'name', phone: 'title', cell: ({ name }) => <Name name={name} /> },
      { id: 'scopes', phone: 'detail', cell: ({ scopes }) => <Scopes scopes={scopes} /> },
      { id: 'last_used_at', cell: ({ last_used_at }) => <TimeOrNever at={last_used_at} /> },
      {
        id: 'expires_at',
        phone: 'end',
        cell: ({ expires_at, revoked_at }) =>
          revoked_at === null ? <TimeOrNever at={expires_at} /> : <StateBadge state="revoked" />,
      },
      { id: 'revoked_at', isHidden: true, cell: ({ revoked_at }) => <Time at={revoked_at} /> },
      { id: 'created_at', isHidden: true, cell: ({ created_at }) => <Time at={created_at} /> },
      { id: 'app_id', isHidden: true, cell: ({ app_id }) => app_id },
      { id: 'id', cell: ({ id }) => <CopyableId id={id} /> },
      {
        id: 'actions',
        align: 'right',
        phone: 'end_detail',
        cell: (key) => <RevokeButton apiKey={key} onRevoke={onRevoke} />,
      },
    ],
    filters: [
      { field: 'name', kind: 'text' },
      { field: 'id', kind: 'exact' },
      { field: 'last_used_at', kind: 'time' },
      { field: 'expires_at', kind: 'time' },
      { field: 'revoked_at', kind: 'time' },
      { field: 'created_at', kind: 'time' },
      { field: 'app_id', kind: 'exact' },
    ],
    views: [
      { name: 'usable', filter: 'NOT revoked_at:*' },
      { name: 'revoked', filter: 'revoked_at:*' },
    ],
  }
}

function Name({ name }: Pick<ApiKey, 'name'>) {
  const { t } = useTranslation('keys')
  return name ?? t('unnamed')
}

function Scopes({ scopes }: Pick<ApiKey, 'scopes'>) {
  const { t, i18n } = useTranslation('keys')
  return (
    <span title={scopes.join(', ')}>
      {joinParts(
        i18n.language,
        areasOf(scopes).map(([area, isReadOnly]) => (isReadOnly ? t('read_only_area', { area }) : area)),
      )}
    </span>
  )
}

/** The areas of the scopes, and whether a key may only read there. Who may write may read. */
function areasOf(scopes: readonly string[]): (readonly [area: string, isReadOnly: boolean])[] {
  const areas = new Set(scopes.map((scope) => scope.replace(/:\w+$/, '')))
  return [...areas].map((area) => [area, !scopes.includes(`${area}:write`)])
}

function TimeOrNever({ at }: { readonly at: string | null }) {
  const { t } = useTranslation('keys')
  return at === null ? t('never') : <Time at={at} />
}

interface RevokeButtonProps {
  readonly apiKey: ApiKey
  readonly onRevoke: (key: ApiKey) => void
}

function RevokeButton({ apiKey, onRevoke }: RevokeButtonProps) {
  const { t } = useTranslation('keys')
  const api = useApi()
  if (apiKey.revoked_at !== null || !api.can('keys:write')) return null
  return (
    <Button size="compact-xs" variant="default" onClick={() => onRevoke(apiKey)}>
      {t('revoke')}
    </Button>
  )
}
