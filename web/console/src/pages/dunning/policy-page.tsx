import { Stack } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { DunningPolicy } from 'quittance'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '#components/action-button.tsx'
import { Columns } from '#components/columns.tsx'
import { CopyableId } from '#components/copyable-id.tsx'
import { declineText } from '#components/decline-text.ts'
import { joinParts, joinSentences } from '#components/joined.ts'
import { TextLink } from '#components/links.tsx'
import { Loaded, useApiQuery } from '#components/loaded.tsx'
import { Metadata } from '#components/metadata.tsx'
import { PageHeader } from '#components/page-header.tsx'
import { RawObject } from '#components/raw-object.tsx'
import { RelatedList } from '#components/related-list.tsx'
import { Fields, Section } from '#components/section.tsx'
import { Time } from '#components/time.tsx'
import { PolicyDialog } from '#pages/dunning/policy-dialog.tsx'
import { planList } from '#pages/plans/plan-list.tsx'

const route = getRouteApi('/shell/dunning-policies/$id')

export function PolicyPage() {
  const { id } = route.useParams()
  const query = useApiQuery(['dunning_policies', id], ({ quittance }, signal) =>
    quittance.dunningPolicies.get(id, { signal }),
  )
  return <Loaded query={query}>{(policy) => <PolicyDetails policy={policy} />}</Loaded>
}

function PolicyDetails({ policy }: { readonly policy: DunningPolicy }) {
  const { t, i18n } = useTranslation('dunning')
  const { t: words } = useTranslation('components')
  const [isEditing, setEditing] = useState(false)
  return (
    <>
      <PageHeader
        title={policy.name}
        back={<TextLink to="/dunning-policies">{t('title')}</TextLink>}
        actions={
          <ActionButton scope="recurring:write" onClick={() => setEditing(true)}>
            {t('edit.button')}
          </ActionButton>
        }
      />
      <Columns
        main={
          <>
            <Section title={t('column.steps')}>
              <Steps steps={policy.steps} />
            </Section>
            {policy.soft.map(({ decline_codes, steps }) => (
              <Section
                key={decline_codes.join()}
                title={t('soft.title', {
                  codes: joinParts(
                    i18n.language,
                    decline_codes.map((code) => declineText(code, words)),
                  ),
                })}
              >
                <Steps steps={steps} />
              </Section>
            ))}
            <Section title={t('plans')}>
              <RelatedList
                list={planList}
                label={t('plans')}
                empty={t('no_plans')}
                filter={`dunning_policy_id = ${policy.id}`}
                columns={['name', 'customer', 'state']}
              />
            </Section>
            <RawObject value={policy} />
          </>
        }
        side={
          <Stack gap="lg">
            <Section title={t('details')}>
              <Fields
                fields={[
                  [t('column.id'), <CopyableId key="id" id={policy.id} />],
                  [t('column.hard'), t(`hard.${policy.hard}`)],
                  [t('column.new_token'), t(`new_token.${policy.new_token}`)],
                  [t('column.exhausted'), t(`exhausted.${policy.exhausted}`)],
                  policy.reference_id !== null && [
                    t('column.reference_id'),
                    <CopyableId key="ref" id={policy.reference_id} />,
                  ],
                  [t('column.created_at'), <Time key="at" at={policy.created_at} />],
                ]}
              />
            </Section>
            <Metadata value={policy} />
          </Stack>
        }
      />
      {isEditing && <PolicyDialog policy={policy} onClose={() => setEditing(false)} />}
    </>
  )
}

function Steps({ steps }: { readonly steps: DunningPolicy['steps'] }) {
  const { t, i18n } = useTranslation('dunning')
  const daysOf = new Intl.ListFormat(i18n.language, { type: 'disjunction' })
  return (
    <Fields
      fields={steps.map(({ after_days, days_of_month = [], min_days, at_time }, index) => [
        t('attempt', { number: index + 2 }),
        joinSentences(i18n.language, [
          after_days === undefined
            ? t('text.days_of_month', {
                days: daysOf.format(days_of_month.map(String)),
                count: min_days ?? 1,
              })
            : t('text.after_days', { count: after_days }),
          at_time === undefined ? t('text.time_of_plan') : t('text.at_time', { time: at_time }),
        ]),
      ])}
    />
  )
}
