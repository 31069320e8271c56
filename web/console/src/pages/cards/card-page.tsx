import { Button } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { Card } from 'quittance'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '#components/action-button.tsx'
import { brandName } from '#components/brand-name.ts'
import { Columns } from '#components/columns.tsx'
import { CopyableId } from '#components/copyable-id.tsx'
import { TextLink } from '#components/links.tsx'
import { Loaded, useApiQuery } from '#components/loaded.tsx'
import { Metadata } from '#components/metadata.tsx'
import { PageHeader } from '#components/page-header.tsx'
import { RawObject } from '#components/raw-object.tsx'
import { RelatedList } from '#components/related-list.tsx'
import { Fields, Section } from '#components/section.tsx'
import { StateBadge } from '#components/state-badge.tsx'
import { Time } from '#components/time.tsx'
import { authorizationsOf } from '#pages/cards/authorizations.tsx'
import { type CardChange, changesOf, toneOf } from '#pages/cards/card.ts'
import { CardLimits } from '#pages/cards/card-limits.tsx'
import { LimitHistory } from '#pages/cards/limit-history.tsx'
import { CardStatusDialog } from '#pages/cards/status-dialog.tsx'

const route = getRouteApi('/shell/cards/$id')

export function CardPage() {
  const { id } = route.useParams()
  const query = useApiQuery(['cards', id], ({ quittance }, signal) => quittance.cards.get(id, { signal }))
  return <Loaded query={query}>{(card) => <CardDetails card={card} />}</Loaded>
}

function CardDetails({ card }: { readonly card: Card }) {
  const { t } = useTranslation('cards')
  const [change, setChange] = useState<CardChange>()
  const [isHistory, setHistory] = useState(false)
  return (
    <>
      <PageHeader
        title={`${brandName(card.issuer_brand)} •••• ${card.last_4_digits}`}
        badges={<StateBadge state={card.status} tone={toneOf(card.status)} />}
        back={<TextLink to="/cards">{t('title')}</TextLink>}
        actions={changesOf(card.status).map((name) => (
          <ActionButton key={name} scope="cards:write" onClick={() => setChange(name)}>
            {t(`${name}.button`)}
          </ActionButton>
        ))}
      />
      <Columns
        main={
          <>
            <CardLimits card={card} />
            <Section
              title={t('history')}
              actions={
                <Button
                  size="xs"
                  variant="default"
                  aria-expanded={isHistory}
                  onClick={() => setHistory(!isHistory)}
                >
                  {t(isHistory ? 'hide' : 'show')}
                </Button>
              }
            >
              {isHistory && <LimitHistory card={card} />}
            </Section>
            <Section title={t('authorizations')}>
              <RelatedList
                list={authorizationsOf(card.id)}
                label={t('authorizations')}
                empty={t('no_authorizations')}
                limit={20}
              />
            </Section>
            <RawObject value={card} />
          </>
        }
        side={
          <>
            <CardFields card={card} />
            <SpendingControls controls={card.spending_controls} />
            <Metadata value={card} />
          </>
        }
      />
      {change !== undefined && (
        <CardStatusDialog card={card} change={change} onClose={() => setChange(undefined)} />
      )}
    </>
  )
}

function CardFields({ card }: { readonly card: Card }) {
  const { t } = useTranslation('cards')
  return (
    <Section title={t('details')}>
      <Fields
        fields={[
          [t('column.id'), <CopyableId key="id" id={card.id} />],
          [t('column.reference_id'), <CopyableId key="reference" id={card.reference_id} />],
          card.title !== '' && [t('column.title'), card.title],
          card.p_user_id !== undefined && [t('column.p_user_id'), card.p_user_id],
          [t('column.type'), t(`type.${card.type}`)],
          [t('physical_status'), card.physical_status],
          card.status_remark !== undefined && [t('remark'), card.status_remark],
          [t('column.settlement_currency'), card.settlement_currency],
          [t('column.expiration_date'), card.expiration_date],
          [t('time_zone'), card.time_zone],
          [t('column.created_at'), <Time key="at" at={card.p_created_at} />],
          card.funding_wallet_id !== undefined && [
            t('funding_wallet'),
            <TextLink key="wallet" to="/wallets/$id" params={{ id: card.funding_wallet_id }}>
              {t('show_wallet')}
            </TextLink>,
          ],
        ]}
      />
    </Section>
  )
}

function SpendingControls({ controls }: { readonly controls: Card['spending_controls'] }) {
  const { t } = useTranslation('cards')
  const { allowed_categories, blocked_categories, allowed_countries, blocked_countries, count_limits } =
    controls
  if (Object.keys(controls).length === 0) return null
  const list = (name: string, values: readonly string[] | undefined) =>
    values !== undefined && values.length > 0 && ([t(`control.${name}`), values.join(', ')] as const)
  return (
    <Section title={t('controls')}>
      <Fields
        fields={[
          list('allowed_categories', allowed_categories),
          list('blocked_categories', blocked_categories),
          list('allowed_countries', allowed_countries),
          list('blocked_countries', blocked_countries),
          ...(count_limits ?? []).map(
            ({ period, count }) =>
              [t('control.count', { period: t(`period.${period}`) }), String(count)] as const,
          ),
          controls.single_use === true && [t('control.single_use'), t('yes')],
        ]}
      />
    </Section>
  )
}
