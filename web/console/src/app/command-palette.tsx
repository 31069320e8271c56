import '@mantine/spotlight/styles.css'
import { Group, Stack, Text } from '@mantine/core'
import { Spotlight, useSpotlight } from '@mantine/spotlight'
import { IconSearch } from '#components/icons.tsx'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useLayoutEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { navigationOf } from '#app/navigation.ts'
import { enter, paletteStore, returnFocus, useEntered } from '#app/palette-store.ts'
import { useShell } from '#app/shell-context.ts'
import { ErrorState } from '#components/error-state.tsx'
import { Money } from '#components/money.tsx'
import { StateBadge } from '#components/state-badge.tsx'
import { Time } from '#components/time.tsx'
import { resultLink, type SearchResult, subtitleOf } from '#pages/search/result-link.ts'
import { useResults } from '#pages/search/use-search.ts'
import classes from './command-palette.module.css'

const MAX_RESULTS = 8
/** Browsers treat a caret beyond the end as the end of the text. */
const MAX_CARET = 10_000

function inList(selector: string): HTMLElement | null | undefined {
  return document.getElementById(paletteStore.getState().listId)?.querySelector<HTMLElement>(selector)
}

function selectedAction(): HTMLElement | null | undefined {
  return inList('[data-selected]')
}

/** The library marks the chosen action in the document, and has no public way to choose one. */
function selectFirst(): void {
  const first = inList('[data-action]')
  const before = selectedAction()
  if (first == null || first === before) return
  before?.removeAttribute('data-selected')
  first.setAttribute('data-selected', 'true')
  paletteStore.updateState((state) => ({ ...state, selected: 0 }))
}

/** Opens pages and finds objects, with the keyboard alone. */
export function CommandPalette() {
  const { t } = useTranslation(['app', 'search'])
  const navigate = useNavigate()
  const { api, session } = useShell()
  const { query, listId } = useSpotlight(paletteStore)
  const { results, isCurrent, error, refetch } = useResults(query, MAX_RESULTS)
  const entered = useEntered()
  // Results arrive after typing. The best one is what Enter opens.
  useLayoutEffect(() => {
    // The list names itself after it is drawn.
    if (query.trim() === '' || listId === '') return
    // A text that was typed before the field was there has chosen nothing yet.
    if (results.length > 0 || !selectedAction()) selectFirst()
    if (entered !== query || !isCurrent) return
    enter('')
    selectedAction()?.click()
  }, [query, results, isCurrent, entered, listId])
  const holdEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || query.trim() === '' || isCurrent) return
    event.preventDefault()
    event.stopPropagation()
    enter(query)
  }
  const wanted = query.trim().toLowerCase()
  const pages = navigationOf(api, session.user.operator)
    .flatMap(({ entries }) => entries)
    .map((entry) => ({ ...entry, label: t(`navigation.${entry.name}`) }))
    .filter(({ label, name }) => label.toLowerCase().includes(wanted) || name.includes(wanted))
  return (
    <Spotlight.Root
      store={paletteStore}
      shortcut={null}
      scrollable
      maxHeight={440}
      yOffset="12vh"
      centered={false}
      overlayProps={{ blur: 0, backgroundOpacity: 0.4 }}
      clearQueryOnClose={false}
      returnFocus={false}
      onSpotlightClose={returnFocus}
      classNames={{ action: classes.action ?? '' }}
      attributes={{ content: { 'aria-label': t('palette.placeholder'), 'data-palette': true } }}
    >
      <Spotlight.Search
        placeholder={t('palette.placeholder')}
        aria-label={t('palette.placeholder')}
        leftSection={<IconSearch size={18} aria-hidden />}
        // Enter never opens the results of a shorter text.
        onKeyDownCapture={holdEnter}
        onFocus={({ currentTarget }) => currentTarget.setSelectionRange(MAX_CARET, MAX_CARET)}
      />
      {error !== null && <ErrorState error={error} retry={refetch} />}
      <Spotlight.ActionsList>
        {results.length > 0 && (
          <Spotlight.ActionsGroup label={t('palette.objects')}>
            {results.map((result) => (
              <Spotlight.Action
                key={`${result.type} ${result.id}`}
                label={result.title}
                description={[t(`search:type.${result.type}`), subtitleOf(result)]
                  .filter((part) => part !== '')
                  .join(' · ')}
                rightSection={<ResultEnd result={result} />}
                onClick={() => void navigate({ to: resultLink(result) })}
              />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {wanted !== '' && (
          <Spotlight.Action
            label={t('search:all', { query: query.trim() })}
            leftSection={<IconSearch size={18} aria-hidden />}
            onClick={() => void navigate({ to: '/search', search: { query: query.trim() } })}
          />
        )}
        {pages.length > 0 && (
          <Spotlight.ActionsGroup label={t('palette.pages')}>
            {pages.map(({ name, to, label, icon: Icon, shortcut }) => (
              <Spotlight.Action
                key={name}
                label={label}
                leftSection={<Icon size={18} aria-hidden />}
                rightSection={
                  shortcut !== undefined && (
                    <Text span size="xs" c="dimmed">
                      g {shortcut}
                    </Text>
                  )
                }
                onClick={() => void navigate({ to })}
              />
            ))}
          </Spotlight.ActionsGroup>
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}

function ResultEnd({
  result: { amount, currency, state, created_at: at },
}: {
  readonly result: SearchResult
}) {
  return (
    <Stack gap={2} align="flex-end">
      <Group gap={6} wrap="nowrap">
        {amount !== null && <Money amount={amount} currency={currency ?? ''} />}
        {state !== null && <StateBadge state={state} />}
      </Group>
      <Text span size="xs" c="dimmed">
        <Time at={at} />
      </Text>
    </Stack>
  )
}
