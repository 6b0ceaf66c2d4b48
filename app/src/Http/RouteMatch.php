<?php

declare(strict_types=1);

namespace App\Http;

use LogicException;
use Psr\Http\Message\ServerRequestInterface;

/** The values of a route's placeholders. */
final readonly class RouteMatch
{
    public static function number(ServerRequestInterface $request, string $name): int
    {
        return (int) self::word($request, $name);
    }

    public static function word(ServerRequestInterface $request, string $name): string
    {
        $value = $request->getAttribute($name);

        return \is_string($value) ? $value : throw new LogicException(\sprintf('The route has no {%s}.', $name));
    }
}
