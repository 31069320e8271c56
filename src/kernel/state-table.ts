export type StateTable<
  Event extends string,
  State extends string = string,
  Next extends State = State,
> = Readonly<Record<State, { readonly [event in Event]?: Next }>>

export function nextState<Event extends string, State extends string, Next extends State>(
  table: StateTable<Event, State, Next>,
  state: NoInfer<State>,
  event: NoInfer<Event>,
): Next | undefined {
  return table[state][event]
}
