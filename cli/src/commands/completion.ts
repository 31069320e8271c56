import createTab from '@bomb.sh/tab/commander'
import type { Command } from 'commander'

/** The library's script for bash calls a function of the package bash-completion, which macOS and containers lack. */
const WORDS_OF_BASH = `declare -F _get_comp_words_by_ref >/dev/null || _get_comp_words_by_ref() {
    words=("\${COMP_WORDS[@]}") cword=$COMP_CWORD cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]}
}
`

/** Adds `completion`, and the hidden command that its scripts ask. */
export function addCompletion(program: Command): void {
  createTab(program, { completionCommandName: 'completion' })
  const completion = program.commands.find((command) => command.name() === 'completion')
  completion?.description('print a script that completes commands: source <(quittance completion bash)')
  completion?.hook('preAction', (_program, { args: [shell] }) => {
    /* oxlint-disable no-console -- the library writes with it. */
    const write = console.log
    // Read-only constants would be errors when a shell loads the script a second time.
    console.log = (script: string) =>
      write(shell === 'bash' ? `${WORDS_OF_BASH}${script.replaceAll(/^readonly /gm, '')}` : script)
    /* oxlint-enable no-console */
  })
}
