<?php

declare(strict_types=1);

namespace Larder\Proof\Exploration;

use Larder\Store\Net\Socket;

/**
 * A connection to a ModelServer. What is written waits; each command that the server takes of it is a step of the
 * process that reads. Writing is none, since nobody notices it.
 */
final class ModelSocket implements Socket
{
    private string $coming = '';

    /** @var list<string> commands that the server has not taken yet */
    private array $waiting = [];

    private string $replies = '';

    private bool $silent = false;

    private readonly int $start;

    /** @param ExploredProcess|null $process null: its commands are done at once */
    public function __construct(
        private readonly ModelServer $server,
        private readonly ServerNames $names,
        public readonly ?ExploredProcess $process,
        /** Among those of its process. */
        public readonly int $number,
    ) {
        $this->start = $server->start;
    }

    public function write(string $bytes): int
    {
        $this->process?->live();
        $this->coming .= $bytes;
        while (($command = ModelServer::command($this->coming)) !== '') {
            $this->waiting[] = $command;
            $this->coming = substr($this->coming, \strlen($command));
        }

        return \strlen($bytes);
    }

    public function read(int $most): ?string
    {
        while ($this->waiting !== [] && $this->isOpen()) {
            if ($this->process === null || $this->waiting[0] === "mn\r\n") {
                $this->next();
                continue;
            }
            $event = $this->process->await(
                'server: ' . $this->names->shown($this->waiting[0]),
                $this->step(...),
            );
            if ($event !== Event::Step) {
                $this->silent = true;

                return $event === Event::Fail ? null : '';
            }
        }
        if (!$this->isOpen()) {
            $this->process?->observe('the connection is closed');

            return null;
        }
        $replies = $this->replies;
        $this->replies = '';

        return $replies;
    }

    public function stream(): null
    {
        return null;
    }

    public function close(): void {}

    /** @return list<string> commands that the server may still do, and that change something */
    public function late(): array
    {
        return $this->isOpen() ? array_values(array_filter($this->waiting, self::changes(...))) : [];
    }

    /** Whether nobody reads its replies any more. */
    public function isLeft(): bool
    {
        return $this->silent || $this->process?->next() === null;
    }

    /** Does the next command that changes something, unread. */
    public function doLate(): void
    {
        do {
            $command = array_shift($this->waiting) ?? '';
            if ($command !== '') {
                $this->names->done($this->server, $command, $this->process->name ?? '');
            }
        } while ($command !== '' && !self::changes($command));
    }

    private function isOpen(): bool
    {
        return $this->server->start === $this->start;
    }

    private function step(): void
    {
        if ($this->isOpen()) {
            $this->next();
        }
    }

    private function next(): void
    {
        $command = array_shift($this->waiting) ?? '';
        $reply = $this->names->done($this->server, $command, $this->process->name ?? '');
        $this->replies .= $reply;
        if ($command !== "mn\r\n") {
            $this->process?->observe($this->names->shown($command) . ' -> ' . $this->names->shown($reply));
        }
    }

    private static function changes(string $command): bool
    {
        return !str_starts_with($command, 'mn') && preg_match('/^mg (?!.* N)/', $command) !== 1;
    }
}
