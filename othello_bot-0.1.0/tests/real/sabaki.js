// A host made of Sabaki's own GTP module, @sabaki/gtp: its Controller starts the engine, its ControllerStateTracker keeps the
// game. `node sabaki.js SCENARIO COMMAND ARGUMENT...` prints what happened as JSON.

'use strict'

const {Controller, ControllerStateTracker} = require('@sabaki/gtp')

const [scenario, path, ...args] = process.argv.slice(2)

// A player as Sabaki keeps it: asked for its name and commands at once, synchronised with the game before every move.
class Player {
  constructor() {
    this.stderr = []
    this.controller = new Controller(path, args)
    this.controller.on('stderr', ({content}) => this.stderr.push(content))
    this.tracker = new ControllerStateTracker(this.controller)
    this.controller.start()
  }

  async ask(name, ...words) {
    const response = await this.controller.sendCommand({name, args: words})
    if (response.error) throw new Error(`${name} ${words.join(' ')}: ${response.content}`)
    return response.content
  }

  // Sync, then let the engine move by `command`; resolves to the move that the tracker has put into its history.
  async move(history, color, command, ...words) {
    await this.tracker.sync({komi: 0, boardsize: [8, 8], history})
    const response = await this.tracker.queueCommand({name: command, args: [color, ...words]})
    if (response.error) throw new Error(`${command}: ${response.content}`)
    const known = this.tracker.state.history
    if (known.length !== history.length + 1) throw new Error(`${command} ${color} left no move: ${response.content}`)
    return known[known.length - 1].args[1]
  }

  // Resolves to the exit code once the engine has ended by itself, after `quit`.
  async stop() {
    const {process: child} = this.controller
    const ended = new Promise(resolve => child.once('exit', (code, signal) => resolve(signal || code)))
    await this.controller.stop(60000)
    return await ended
  }
}

// Two engines play until two passes follow each other; the second streams its analysis while it thinks.
async function game() {
  const players = {B: new Player(), W: new Player()}
  for (const player of Object.values(players)) {
    for (const name of ['name', 'version', 'protocol_version', 'list_commands']) await player.ask(name)
  }
  const history = []
  let passes = 0
  for (let color = 'B'; passes < 2; color = color === 'B' ? 'W' : 'B') {
    const request = color === 'B' ? ['genmove'] : ['lz-genmove_analyze', '1']
    const vertex = await players[color].move(history, color, ...request)
    history.push({name: 'play', args: [color, vertex]})
    passes = vertex.toLowerCase() === 'pass' ? passes + 1 : 0
    if (history.length > 140) throw new Error('the game does not end')
  }
  const scores = [await players.B.ask('final_score'), await players.W.ask('final_score')]
  const codes = [await players.B.stop(), await players.W.stop()]
  const stderr = [...players.B.stderr, ...players.W.stderr]
  return {moves: history.map(({args: [color, vertex]}) => [color, vertex]), scores, codes, stderr}
}

// Jumps back and forth in a game, which the tracker turns into undo and play commands.
async function jumps() {
  const player = new Player()
  const line = ['F5', 'D6', 'C3', 'D3', 'C4'].map((vertex, i) => ({name: 'play', args: ['BW'[i % 2], vertex]}))
  const other = [...line.slice(0, 3), {name: 'play', args: ['W', 'F4']}]
  const boards = []
  const sent = []
  player.controller.on('command-sent', ({command}) => sent.push(command.name))
  for (const history of [line, line.slice(0, 2), line, other, []]) {
    await player.tracker.sync({boardsize: [8, 8], history})
    boards.push(await player.ask('transcript'))
  }
  return {boards, sent, codes: [await player.stop()]}
}

// Streams an analysis, and interrupts it as Sabaki does: by sending the next command.
async function analysis() {
  const player = new Player()
  await player.tracker.sync({boardsize: [8, 8], history: [{name: 'play', args: ['B', 'F5']}]})
  const streams = {}
  for (const name of ['lz-analyze', 'kata-analyze']) {
    const lines = []
    let enough
    const streaming = new Promise(resolve => (enough = resolve))
    const answered = player.controller.sendCommand({name, args: ['W', '1']}, ({line}) => {
      if (line.startsWith('info ')) lines.push(line)
      if (lines.length === 3) enough()
    })
    await streaming
    const interruption = await player.controller.sendCommand({name: 'protocol_version'})
    const response = await answered
    streams[name] = {lines, error: response.error, after: interruption.content}
  }
  const position = await player.ask('transcript')
  return {streams, position, codes: [await player.stop()]}
}

const scenarios = {game, jumps, analysis}

scenarios[scenario]().then(
  result => console.log(JSON.stringify(result)),
  error => {
    console.error(error)
    process.exit(1)
  }
)
