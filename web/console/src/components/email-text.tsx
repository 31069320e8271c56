/** An address that breaks after its @ and its dots, and within a word only where the word is wider than the line. */
export function EmailText({ address }: { readonly address: string | null | undefined }) {
  if (address === null || address === undefined || address === '') return <>—</>
  const parts = address.split(/(?<=[@.])/)
  return (
    <span style={{ overflowWrap: 'break-word' }}>
      {parts.map((part, index) => (
        // oxlint-disable-next-line react/no-array-index-key
        <span key={index}>
          {part}
          <wbr />
        </span>
      ))}
    </span>
  )
}
