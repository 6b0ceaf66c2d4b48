<?php

declare(strict_types=1);

namespace Larder\Proof\Exploration;

/** What may happen next in the model of RedisExplorer. */
final readonly class RedisMoves
{
    private const NAMES = ['P', 'R'];

    public function __construct(private RedisRule $rule) {}

    /** What a client would read that is older than what was acknowledged. */
    public function stale(RedisState $state): ?string
    {
        foreach ($state->clients as $number => $client) {
            $node = $state->nodes[$client->node];
            if ($client->tag === null || $node === null) {
                continue;
            }
            $read = $node->read($node->word($this->rule, $client->tag));
            if ($read !== null && $read < $state->told) {
                return \sprintf(
                    'client %d reads %d on %s, of %d',
                    $number,
                    $read,
                    self::NAMES[$client->node],
                    $state->told,
                );
            }
        }

        return null;
    }

    /** @return iterable<string, RedisState> */
    public function of(RedisState $state): iterable
    {
        foreach ([0, 1] as $number) {
            yield from $this->ofClient($state, $number);
        }
        yield from $this->ofFirst($state);
        yield from $this->ofReplica($state);
    }

    /** @return iterable<string, RedisState> */
    private function ofClient(RedisState $state, int $number): iterable
    {
        $client = $state->clients[$number];
        if ($client->tag === null) {
            foreach ($state->nodes as $place => $node) {
                if ($node !== null && ($node->isPrimary || !$this->rule->asksRole())) {
                    yield "client $number connects to " . self::NAMES[$place] => $state->withClient(
                        $number,
                        $client->connected($place, $node->identity($this->rule)),
                    );
                }
            }

            return;
        }
        $node = $state->nodes[$client->node];
        // A replica refuses writes.
        if ($node === null || !$node->isPrimary) {
            return;
        }
        $word = $node->word($this->rule, $client->tag);
        if ($client->compute === null && ($number === 0 || $state->left[3] > 0)) {
            yield "client $number begins a compute" => $this->begun($state, $number, $node, $word);
        }
        if ($client->compute !== null) {
            yield "client $number stores" => $this->stored($state, $number, $node, $word);
        }
        if ($state->left[0] > 0) {
            yield "client $number changes" => $this->changed($state, $number, $node, $word);
        }
    }

    /** The word and the version are taken, or made where there is none, and then the database is read. */
    private function begun(RedisState $state, int $number, RedisNode $node, int $word): RedisState
    {
        $client = $state->clients[$number];
        [$record, $words] = $this->record($state, $client, $node, $word);
        $version = $node->version;
        if ($version === null || $version[0] !== $record[0]) {
            $version = [$record[0], $words++];
        }
        $left = $state->left;
        $left[3] -= $number;

        return $state->with(words: $words, left: $left)
            ->withNode($client->node, $node->holding($record, $version, $node->value))
            ->withClient($number, $client->computing([$state->database, $version[1], $record[0]]));
    }

    /** The lease carries the word that the compute began with. */
    private function stored(RedisState $state, int $number, RedisNode $node, int $word): RedisState
    {
        $client = $state->clients[$number];
        $done = $state->withClient($number, $client->computing(null));
        if ($client->compute === null || $word === 0 || $word !== $client->compute[2]) {
            return $done;
        }
        [$database, $version] = $client->compute;

        return $done->withNode(
            $client->node,
            $node->holding($node->record, $node->version, [$word, $database, $version]),
        );
    }

    /** COMMIT, a new version, and the change is acknowledged. */
    private function changed(RedisState $state, int $number, RedisNode $node, int $word): RedisState
    {
        $client = $state->clients[$number];
        [$record, $words] = $this->record($state, $client, $node, $word);
        $left = $state->left;
        --$left[0];

        return $state->with(
            database: $state->database + 1,
            told: $state->database + 1,
            words: $words + 1,
            left: $left,
        )->withNode($client->node, $node->holding($record, [$record[0], $words], $node->value));
    }

    /** @return array{array{int, int}, int} the record, made anew where none counts, and the words given out */
    private function record(RedisState $state, RedisClient $client, RedisNode $node, int $word): array
    {
        if ($word !== 0 && $node->record !== null) {
            return [$node->record, $state->words];
        }
        $identity = $this->rule->isInTheScript() ? $node->identity($this->rule) : (int) $client->tag;

        return [[$state->words, $identity], $state->words + 1];
    }

    /** @return iterable<string, RedisState> a snapshot, and a death from which it comes back with that */
    private function ofFirst(RedisState $state): iterable
    {
        $first = $state->nodes[0];
        $present = new RedisNode($first->record, $first->version, $first->value, 0, 0);
        if ($state->left[1] > 0 && !$present->has($state->snapshot)) {
            yield 'snapshot of P' => $state->with(snapshot: $present);
        }
        if ($state->left[1] > 0 && $first->isPrimary) {
            $left = $state->left;
            --$left[1];
            $anew = new RedisNode(null, null, null, $state->runs, $state->runs);
            $after = $state->with(runs: $state->runs + 1, left: $left)
                ->withNode(0, $anew->copying($state->snapshot));
            yield 'P is killed and begins anew' => $this->rule->reconnectsSilently()
                ? $after
                : self::disconnected($after, 0);
        }
    }

    /** @return iterable<string, RedisState> the replica follows, takes the primary's place, and gives it back */
    private function ofReplica(RedisState $state): iterable
    {
        [$first, $replica] = $state->nodes;
        if ($replica === null) {
            return;
        }
        if (!$replica->isPrimary && $first->isPrimary && !$replica->has($first)) {
            yield 'R has what P has' => $state->withNode(1, $replica->copying($first)->replica($first->id));
        }
        $left = $state->left;
        if (!$replica->isPrimary && $left[2] > 0) {
            --$left[2];
            $promoted = $state->with(runs: $state->runs + 1, left: $left)
                ->withNode(1, $replica->primary($state->runs));
            $demoted = $promoted->withNode(0, $first->copying($replica)->replica($state->runs));
            yield 'R is promoted and P demoted' => $this->rule->endsConnections()
                ? self::disconnected($demoted, 0)
                : $demoted;
            if ($this->rule->cutsOff()) {
                yield 'R is promoted and P cut off' => $promoted;
            }
        }
        if ($replica->isPrimary && !$first->isPrimary && $left[1] > 0) {
            --$left[1];
            $back = $state->with(runs: $state->runs + 1, left: $left)
                ->withNode(0, $first->primary($state->runs))
                ->withNode(1, $replica->copying($first)->replica($state->runs));
            yield 'P is promoted again' => $this->rule->endsConnections() ? self::disconnected($back, 1) : $back;
        }
    }

    private static function disconnected(RedisState $state, int $node): RedisState
    {
        foreach ($state->clients as $number => $client) {
            if ($client->node === $node) {
                $state = $state->withClient($number, $client->disconnected());
            }
        }

        return $state;
    }
}
