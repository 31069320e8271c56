export function Logo({ size }: { readonly size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden>
      <rect width="32" height="32" rx="8" fill="#4263eb" />
      <path
        d="M16 7a9 9 0 1 0 5.200 16.300l2.600 2.600 2.300-2.300-2.600-2.600A9 9 0 0 0 16 7Zm0 3.400a5.600 5.600 0 0 1 4.900 8.300l-2.500-2.500-2.300 2.300 2.600 2.600A5.600 5.600 0 1 1 16 10.400Z"
        fill="#fff"
      />
    </svg>
  )
}
