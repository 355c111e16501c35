import { Server } from 'node:http';

// Sends a signal in the turn of the event loop in which the server begins to listen.
const { emit } = Server.prototype;
Server.prototype.emit = function (event, ...args) {
  if (event === 'listening') process.kill(process.pid, 'SIGTERM');
  return emit.call(this, event, ...args);
};
