import { Box } from '@mantine/core'
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { PageSkeleton } from '#components/page-skeleton.tsx'

/** A person waits this long for a whole page. After that its parts appear from the top, as they arrive. */
const MAX_WAIT_MS = 2_000

const Missing = createContext<((change: 1 | -1) => void) | undefined>(undefined)

/** Stands for a part of a page that is not there yet. */
export function Placeholder({ children = <PageSkeleton /> }: { readonly children?: ReactNode }) {
  const count = useContext(Missing)
  useLayoutEffect(() => {
    count?.(1)
    return () => count?.(-1)
  }, [count])
  return <div data-missing>{children}</div>
}

/**
 * Shows its parts once all have arrived, so that none moves another one that is being read or pressed. On a slow connection each part
 * shows once all above it have arrived (`columns.module.css`).
 */
export function Parts({ children }: { readonly children: ReactNode }) {
  const [shown, setShown] = useState<'none' | 'in order' | 'all'>('none')
  const missing = useRef(0)
  const show = useCallback(() => setShown('all'), [])
  const count = useCallback(
    (change: 1 | -1) => {
      missing.current += change
      // The text of a part may have arrived while its rows are still missing.
      if (missing.current === 0) setTimeout(() => missing.current === 0 && show())
    },
    [show],
  )
  useEffect(() => {
    if (missing.current === 0) show()
    const timer = setTimeout(() => setShown((now) => (now === 'none' ? 'in order' : now)), MAX_WAIT_MS)
    return () => clearTimeout(timer)
  }, [show])
  return (
    <Missing value={count}>
      <Box pos="relative">
        {shown === 'none' && (
          <Box pos="absolute" inset={0}>
            <PageSkeleton />
          </Box>
        )}
        <div data-shown={shown} {...(shown === 'none' && { style: { visibility: 'hidden' } })}>
          {children}
        </div>
      </Box>
    </Missing>
  )
}
