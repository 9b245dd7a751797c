/** Parameters by name, as the HTTP service takes them: `game`, `time`, `lines`, `player`, `seed`… */
export type Params = Record<string, string | number | boolean>;
/** Gets the events of a call that takes time: `column`, `solved`, `line`, `estimate`, `progress`. */
export type Listener = (name: string, data: any) => void;

/** A result for the side to move. */
export interface Column {
  move: string;
  score?: number;
  words?: string;
  /** What is proven, where the time was too short for more. */
  lower?: number;
  upper?: number;
  [more: string]: unknown;
}

/** What `solve` answers. */
export interface Solved {
  complete: boolean;
  score?: number;
  words?: string;
  columns: Column[];
  line?: string[] | null;
  lines?: (Column & { line: string[] })[];
  nodes: number;
  time_ms: number;
  [more: string]: unknown;
}

/** What `move` answers. */
export interface Moved {
  move: string;
  player: string;
  seed: number;
  [more: string]: unknown;
}

/** Why a request is not answered. */
export class FourfoldError extends Error {
  status: number;
  error: string;
  /** The parameter at fault. */
  where?: string;
}

export interface Engine {
  ask(call: string, params?: Params, listener?: Listener): any;
  position(moves?: string, params?: Params): any;
  solve(moves?: string, params?: Params, listener?: Listener): Solved;
  move(moves?: string, params?: Params): Moved;
  review(moves?: string, params?: Params, listener?: Listener): any;
  puzzle(params?: Params): any;
}

/** An engine of one's own, from the module beside this file, or from bytes or an address of it. */
export function load(source?: BufferSource | URL | string): Promise<Engine>;

/** The same on an engine that all callers share. */
export function ask(call: string, params?: Params, listener?: Listener): Promise<any>;
export function position(moves?: string, params?: Params): Promise<any>;
export function solve(moves?: string, params?: Params, listener?: Listener): Promise<Solved>;
export function move(moves?: string, params?: Params): Promise<Moved>;
export function review(moves?: string, params?: Params, listener?: Listener): Promise<any>;
export function puzzle(params?: Params): Promise<any>;
