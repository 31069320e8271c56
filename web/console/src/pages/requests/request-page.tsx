import { getRouteApi } from '@tanstack/react-router'
import type { Schemas } from 'quittance'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useShell } from '#app/shell-context.ts'
import { ActionButton } from '#components/action-button.tsx'
import { Columns } from '#components/columns.tsx'
import { CopyableId } from '#components/copyable-id.tsx'
import { JsonView } from '#components/json-view.tsx'
import { TextLink } from '#components/links.tsx'
import { Loaded, useApiQuery } from '#components/loaded.tsx'
import { PersonName } from '#components/object-name.tsx'
import { PageHeader } from '#components/page-header.tsx'
import { Fields, Section } from '#components/section.tsx'
import { Time } from '#components/time.tsx'
import { replayProblem, scopeOf } from '#pages/requests/replay.ts'
import { ReplayDialog } from '#pages/requests/replay-dialog.tsx'
import { HttpStatus, shortPath } from '#pages/requests/request-list-page.tsx'

type LoggedRequest = Schemas['LoggedRequestWithBodies']

const route = getRouteApi('/shell/requests/$id')

export function RequestPage() {
  const { id } = route.useParams()
  const query = useApiQuery(['requests', id], ({ quittance }, signal) =>
    quittance.requests.get(id, { signal }),
  )
  return <Loaded query={query}>{(request) => <RequestDetails request={request} />}</Loaded>
}

function RequestDetails({ request }: { readonly request: LoggedRequest }) {
  const { t } = useTranslation('requests')
  const { membership } = useShell()
  const [isReplaying, setReplaying] = useState(false)
  const problem = replayProblem(request, membership)
  return (
    <>
      <PageHeader
        title={`${request.method} ${shortPath(request.path)}`}
        badges={<HttpStatus status={request.status} />}
        back={<TextLink to="/requests">{t('title')}</TextLink>}
        actions={
          <ActionButton
            blocked={problem && t(`replay.${problem}`, { scope: scopeOf(request) })}
            onClick={() => setReplaying(true)}
          >
            {t('replay.button')}
          </ActionButton>
        }
      />
      <Columns
        main={
          <>
            <Section title={t('request_body')}>
              <Body text={request.request_body} label={t('request_body')} />
            </Section>
            <Section title={t('response_body')}>
              <Body text={request.response_body} label={t('response_body')} />
            </Section>
          </>
        }
        side={
          <Section title={t('details')}>
            <Fields
              fields={[
                [t('column.request_id'), <CopyableId key="id" id={request.request_id} />],
                [t('column.created_at'), <Time key="at" at={request.created_at} withSeconds />],
                [t('full_path'), <code key="path">{request.path}</code>],
                request.query !== '' && [t('query'), <code key="query">{request.query}</code>],
                request.reason !== null && [t('column.reason'), <code key="reason">{request.reason}</code>],
                [
                  t('column.actor'),
                  <span key="actor">
                    {t(`actor.${request.actor.type}`)} · <PersonName id={request.actor.id} />
                  </span>,
                ],
                [t('column.duration'), `${request.duration_ms} ms`],
                request.idempotency_key !== null && [
                  t('column.idempotency_key'),
                  <CopyableId key="key" id={request.idempotency_key} />,
                ],
                request.idempotent_replayed && [t('replayed'), t('yes')],
                [t('column.ip_address'), request.ip_address],
                request.user_agent !== null && [t('user_agent'), request.user_agent],
                request.object_ids.length > 0 && [
                  t('objects'),
                  request.object_ids.map((id) => (
                    <div key={id}>
                      <TextLink to="/requests" search={{ filter: `object_id = ${id}` }} fz="sm">
                        {id}
                      </TextLink>
                    </div>
                  )),
                ],
              ]}
            />
          </Section>
        }
      />
      {isReplaying && <ReplayDialog request={request} onClose={() => setReplaying(false)} />}
    </>
  )
}

interface BodyProps {
  readonly text: string | null
  readonly label: string
}

function Body({ text, label }: BodyProps) {
  const { t } = useTranslation('requests')
  return text === null || text === '' ? t('no_body') : <JsonView value={text} label={label} />
}
