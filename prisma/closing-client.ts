import pg from 'pg';

/** Milliseconds that the server has to close a connection. */
const closeLimit = 2_000;

/** A connection whose end waits only shortly for the server: one that is dead without notice never closes. */
export class ClosingClient extends pg.Client {
  override end(): Promise<void>;
  override end(callback: (error: Error) => void): void;
  override end(callback?: (error: Error) => void): Promise<void> | void {
    const late = setTimeout(() => this.destroy(), closeLimit);
    this.once('end', () => clearTimeout(late));
    // the timer must not keep a process whose connection was never opened
    late.unref();
    return callback ? super.end(callback) : super.end();
  }

  /** The process id of this connection in the server. */
  get backend(): number | null {
    return (this as unknown as { readonly processID: number | null }).processID;
  }

  /** Closes the connection at once; its statements fail with `error`. */
  destroy(error?: Error): void {
    const { stream } = (this as unknown as { connection: { stream: Stream } }).connection;
    stream.destroy(error);
  }
}

interface Stream {
  destroy(error?: Error): void;
}
