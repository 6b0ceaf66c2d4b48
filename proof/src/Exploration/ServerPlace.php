<?php

declare(strict_types=1);

namespace Larder\Proof\Exploration;

use Larder\Page\MemcachedPageStore;
use Larder\Page\PagePath;
use Larder\Page\PageStore;
use Larder\Page\Response;
use LogicException;

/** A memcached server that has the pages, and what may happen to it. */
final class ServerPlace implements PagePlace
{
    private const NAME = 'server';
    private const PREFIX = 'explored';

    private ModelServer $server;

    private ServerNames $names;

    /** @var list<ModelSocket> */
    private array $sockets = [];

    /** The first state. */
    private ModelServer $first;

    private int $restarts = 0;

    private int $losses = 0;

    private int $silences = 0;

    public function __construct(private readonly Troubles $troubles)
    {
        $this->server = $this->first = new ModelServer();
        $this->names = new ServerNames(true);
    }

    public function open(Implementation $implementation, ?ExploredProcess $process): PageStore
    {
        $count = 0;

        return $implementation->store(MemcachedPageStore::class, [
            'servers' => ['unix:/' . self::NAME],
            'prefix' => self::PREFIX,
            'connect' => function () use ($process, &$count): ModelSocket {
                $socket = new ModelSocket($this->server, $this->names, $process, ++$count);
                if ($process !== null) {
                    $this->sockets[] = $socket;
                }

                return $socket;
            },
        ]);
    }

    public function keep(): void
    {
        $mark = $this->server->items[self::PREFIX . '@']['value'] ?? '';
        if ($this->troubles->remains !== Remains::None) {
            [$life, $reached] = explode(' ', $mark) + ['', '0'];
            $store = $this->open(new Implementation(), null);
            $page = PagePath::of(Storage::KEY) ?? throw new LogicException('The key is canonical.');
            $draft = $store->draft($page, new Response(200, [], 'value 0'));
            $store->stamp($draft, (int) $reached + 1);
            $store->publish($draft, (int) $reached + 1);
            $this->tell(match ($this->troubles->remains) {
                Remains::Foreign => str_repeat('f', 32) . ' ' . $reached,
                Remains::Ahead => $life . ' ' . ((int) $reached + 1),
                default => null,
            });
        }
        $this->first = clone $this->server;
    }

    public function reset(): void
    {
        $this->server = clone $this->first;
        $this->names = new ServerNames($this->troubles->restarts > 0);
        $this->sockets = [];
        $this->restarts = $this->troubles->restarts;
        $this->losses = $this->troubles->losses;
        $this->silences = $this->troubles->silences;
    }

    public function look(): PlaceState
    {
        $items = [];
        foreach ($this->server->items as $key => ['value' => $value, 'cas' => $cas, 'ends' => $ends]) {
            $items[$key] = [hash('xxh128', $value), $this->names->cas($cas), $ends];
        }
        ksort($items);
        $late = [];
        foreach ($this->sockets as $socket) {
            foreach ($socket->late() as $at => $command) {
                $late[] = $this->late($socket) . " $at " . $this->names->shown($command);
            }
        }
        sort($late);
        $text = json_encode([
            $items, $late, $this->restarts, $this->losses, $this->silences, $this->server->marked,
            $this->troubles->restarts > 0 ? [$this->server->last, $this->server->start] : [],
        ], JSON_THROW_ON_ERROR);
        $page = $this->server->items[self::PREFIX . Storage::KEY] ?? null;
        if ($page === null || $page['value'] === '') {
            $wrong = ($page['ends'] ?? true) ? [] : [Violation::Stuck->value => 'a stub does not end'];

            return new PlaceState([], $text, [], $wrong);
        }
        $generation = preg_match('/^ETag: "([0-9a-f]+)-/mi', $page['value'], $found) === 1
            ? (int) hexdec($found[1])
            : 0;
        $body = substr($page['value'], (int) strpos($page['value'], "\r\n\r\n") + 4);
        $isLeft = $page === ($this->first->items[self::PREFIX . Storage::KEY] ?? null);

        return new PlaceState(
            [],
            $text,
            ['' => ['bytes' => (string) @gzdecode($body), 'mtime' => $generation]],
            $isLeft || $generation <= $this->server->marked
                ? []
                : [Violation::Unmarked->value => "the page is of $generation, above what the server was told"],
            $isLeft,
        );
    }

    public function moves(): array
    {
        $moves = [];
        if ($this->restarts > 0) {
            $moves[] = new Move(self::NAME, Event::Step, 'begins anew');
        }
        foreach ($this->losses > 0 ? array_keys($this->server->items) : [] as $key) {
            $moves[] = new Move(self::NAME, Event::Step, 'loses ' . $key);
        }
        foreach ($this->sockets as $socket) {
            $late = $socket->isLeft() ? $socket->late() : [];
            if ($late !== []) {
                $what = $this->late($socket) . ': ' . $this->names->shown($late[0]);
                $moves[] = new Move(self::NAME, Event::Step, 'does late of ' . $what);
            }
        }

        return $moves;
    }

    public function move(Move $move): void
    {
        $words = explode(' ', $move->step);
        if ($words[0] === 'begins') {
            --$this->restarts;
            $this->server->beginAnew();
        } elseif ($words[0] === 'loses') {
            --$this->losses;
            unset($this->server->items[$words[1]]);
        } else {
            foreach ($this->sockets as $socket) {
                if ($this->late($socket) . ':' === $words[3]) {
                    $socket->doLate();
                }
            }
        }
    }

    public function faults(string $step): array
    {
        return $this->silences > 0 && str_starts_with($step, self::NAME . ': ') ? [Event::GiveUp, Event::Fail] : [];
    }

    public function failed(): void
    {
        --$this->silences;
    }

    public function remove(): void {}

    private function late(ModelSocket $socket): string
    {
        return ($socket->process->name ?? '') . '~' . $socket->number;
    }

    private function tell(?string $mark): void
    {
        $this->server->does($mark === null
            ? \sprintf("md %s@\r\n", self::PREFIX)
            : \sprintf("ms %s@ %d\r\n%s\r\n", self::PREFIX, \strlen($mark), $mark));
    }
}
