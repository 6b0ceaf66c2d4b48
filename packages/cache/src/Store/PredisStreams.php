<?php

declare(strict_types=1);

namespace Larder\Store;

use Predis\Connection\ParametersInterface;
use Predis\Connection\Resource\StreamFactory;
use RuntimeException;

/**
 * Makes the stream of one connection of Predis, and keeps a reference to it.
 *
 * @internal
 */
final class PredisStreams extends StreamFactory
{
    private ?PredisStream $stream = null;

    public function createStream(ParametersInterface $parameters): PredisStream
    {
        $socket = parent::createStream($parameters)->detach() ?? throw new RuntimeException('There is no stream');

        return $this->stream = new PredisStream($socket);
    }

    /** @param int $until by hrtime(true) */
    public function endAt(int $until): void
    {
        if ($this->stream !== null) {
            $this->stream->until = $until;
        }
    }
}
