import { getRouteApi } from '@tanstack/react-router'
import type { Event } from 'quittance'
import { useTranslation } from 'react-i18next'
import { Columns } from '#components/columns.tsx'
import { CopyableId } from '#components/copyable-id.tsx'
import { JsonView } from '#components/json-view.tsx'
import { TextLink } from '#components/links.tsx'
import { Loaded, useApiQuery } from '#components/loaded.tsx'
import { PageHeader } from '#components/page-header.tsx'
import { RelatedList } from '#components/related-list.tsx'
import { Fields, Section } from '#components/section.tsx'
import { Time } from '#components/time.tsx'
import { deliveryList } from '#pages/webhooks/delivery-list.tsx'

const route = getRouteApi('/shell/events/$object/$id')

export function EventPage() {
  const { object, id } = route.useParams()
  const query = useApiQuery(['events', object, id], ({ quittance }, signal) =>
    quittance.events.get(id, { object_id: object }, { signal }),
  )
  return <Loaded query={query}>{(event) => <EventDetails event={event} />}</Loaded>
}

function EventDetails({ event }: { readonly event: Event }) {
  const { t } = useTranslation('events')
  return (
    <>
      <PageHeader title={event.type} back={<TextLink to="/events">{t('title')}</TextLink>} />
      <Columns
        main={
          <>
            <Section title={t('payload')}>
              <JsonView value={event} label={t('payload')} />
            </Section>
            <Section title={t('deliveries')}>
              <RelatedList
                list={deliveryList}
                label={t('deliveries')}
                empty={t('no_deliveries')}
                filter={`event_id = ${event.id}`}
                columns={['url', 'state', 'status', 'attempts', 'last_at']}
              />
            </Section>
          </>
        }
        side={
          <Section title={t('details')}>
            <Fields
              fields={[
                [t('column.id'), <CopyableId key="id" id={event.id} />],
                [t('column.timestamp'), <Time key="at" at={event.timestamp} withSeconds />],
                [
                  t('column.object_id'),
                  <TextLink key="object" to="/events" search={{ filter: `object_id = ${event.object_id}` }}>
                    {event.object_id}
                  </TextLink>,
                ],
                [t('column.sequence'), String(event.sequence)],
              ]}
            />
          </Section>
        }
      />
    </>
  )
}
