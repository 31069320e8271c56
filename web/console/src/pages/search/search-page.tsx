import { Loader, Stack, Text, TextInput } from '@mantine/core'
import { IconSearch } from '#components/icons.tsx'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '#components/empty-state.tsx'
import { ErrorState } from '#components/error-state.tsx'
import { Money } from '#components/money.tsx'
import { PageHeader } from '#components/page-header.tsx'
import { StateBadge } from '#components/state-badge.tsx'
import { Time } from '#components/time.tsx'
import { resultLink, subtitleOf } from '#pages/search/result-link.ts'
import { useResults } from '#pages/search/use-search.ts'
import classes from './search-page.module.css'

const route = getRouteApi('/shell/search')
const MAX_RESULTS = 50

export function SearchPage() {
  const { t } = useTranslation('search')
  const { query = '' } = route.useSearch()
  const navigate = useNavigate()
  const { results, error, isFetching, isFetched } = useResults(query, MAX_RESULTS)
  return (
    <>
      <PageHeader title={t('title')} />
      <Stack gap="md">
        <TextInput
          type="search"
          size="md"
          aria-label={t('title')}
          placeholder={t('placeholder')}
          leftSection={<IconSearch size={18} aria-hidden />}
          rightSection={isFetching && <Loader size="xs" aria-hidden />}
          data-autofocus
          value={query}
          onChange={(event) =>
            void navigate({ to: '/search', search: { query: event.currentTarget.value }, replace: true })
          }
        />
        {error !== null && <ErrorState error={error} />}
        <div aria-live="polite">
          {query.trim() === '' && <EmptyState icon={IconSearch} title={t('begin')} text={t('hint')} />}
          {query.trim() !== '' && isFetched && results.length === 0 && error === null && (
            <EmptyState title={t('nothing')} text={t('hint')} />
          )}
          {results.length > 0 && (
            <ul className={classes.results}>
              {results.map((result) => (
                <li key={`${result.type} ${result.id}`}>
                  <Link to={resultLink(result)}>
                    <span className={classes.main}>
                      <span className={classes.title}>{result.title}</span>
                      <Text span size="xs" c="dimmed" truncate>
                        {t(`type.${result.type}`)}
                        {subtitleOf(result) !== '' && ` · ${subtitleOf(result)}`}
                      </Text>
                    </span>
                    <span className={classes.end}>
                      <span>
                        {result.amount !== null && (
                          <Money amount={result.amount} currency={result.currency ?? ''} />
                        )}{' '}
                        {result.state !== null && <StateBadge state={result.state} />}
                      </span>
                      <Text span size="xs" c="dimmed">
                        <Time at={result.created_at} />
                      </Text>
                    </span>
                  </Link>
                </li>
              ))}
            </ul>
          )}
        </div>
      </Stack>
    </>
  )
}
